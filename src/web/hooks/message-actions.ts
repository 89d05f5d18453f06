import type { Dispatch } from 'react'
import type { MessageCalls } from '../api/api.ts'
import type { InboxEvent } from './inbox-state.ts'

/** The messages of one inbox: of the current address, or of a fully private one that this browser opens. */
export interface MessageSource extends MessageCalls {
  /** Loads the next batch of older messages and dispatches them. */
  older(): Promise<unknown>
}

/** The actions on a list of messages. `attempt` runs one of them and keeps its problem. */
export const messageActions = (
  attempt: (work: () => Promise<unknown>) => Promise<boolean>,
  dispatch: Dispatch<InboxEvent>,
  source: MessageSource | null,
) => ({
  older: () => attempt(async () => source?.older()),
  remove: (id: string) =>
    attempt(async () => {
      await source?.remove(id)
      dispatch({ type: 'deleted', id })
    }),
})

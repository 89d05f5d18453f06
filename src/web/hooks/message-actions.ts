import type { Dispatch } from 'react'
import type { InboxEvent } from './inbox-state.ts'

/** The messages of one inbox: of the current address, or of a fully private one that this browser opens. */
export interface MessageSource {
  /** Loads the next batch of older messages and dispatches them. */
  older(): Promise<unknown>
  remove(id: string): Promise<unknown>
}

/** The actions on a list of messages. `attempt` runs one of them and keeps its problem. */
export const messageActions = (
  attempt: (work: () => Promise<unknown>) => Promise<boolean>,
  dispatch: Dispatch<InboxEvent>,
  source: MessageSource,
) => ({
  older: () => attempt(source.older),
  remove: (id: string) =>
    attempt(async () => {
      await source.remove(id)
      dispatch({ type: 'deleted', id })
    }),
})

import { useMemo } from 'react'
import type { MessageActionsApi } from '../api/api.ts'
import { useBars } from '../app/bars.ts'
import type { InboxState } from './inbox-state.ts'
import { fileLoader } from './load-file.ts'

/** The messages of one inbox: of the current address, or of a fully private one that this browser opens. */
interface MessageSource extends MessageActionsApi {
  /** Loads the next batch of older messages and dispatches them. */
  older(): Promise<unknown>
}

const loadDeletions = fileLoader(() => import('../parts/bars.ts'))

/** The actions on a list of messages. `attempt` runs one of them and keeps its problem; those that load throw it. */
export const messageActions = (
  attempt: (work: () => Promise<unknown>) => Promise<boolean>,
  source: MessageSource | null,
) => ({
  attempt,
  older: async () => source?.older(),
  /** Deletes messages after 8 seconds, in which the visitor can undo it, or when the page is left. */
  remove: (...ids: string[]) =>
    attempt(async () => {
      const { postpone } = await loadDeletions()
      postpone(ids, async (some, keepalive) => source?.removeAll(some, keepalive))
    }),
})

/** The state of an inbox as if the messages that are about to be deleted were gone. Those that were deleted stay hidden. */
export function useWithoutPending(state: InboxState): InboxState {
  const { pending } = useBars()
  return useMemo(
    () =>
      pending.size === 0
        ? state
        : {
            ...state,
            messages: state.messages.filter(({ id }) => !pending.has(id)),
            deleted: [...state.deleted, ...pending],
          },
    [state, pending],
  )
}

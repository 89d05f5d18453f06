import { type Dispatch, useCallback, useReducer } from 'react'
import type { PageProblem } from '../api/api.ts'
import { type InboxEvent, inboxReducer, type InboxState } from './inbox-state.ts'
import { useAttempt } from './use-attempt.ts'

/** The messages of one inbox: of the current address, or of a fully private one that this browser opens. */
export interface MessageSource {
  /** Loads the messages before a cursor and dispatches them. */
  load(before: string, dispatch: Dispatch<InboxEvent>): Promise<void>
  remove(id: string): Promise<unknown>
}

/** The list of messages with its actions, which run one at a time. Without a source there is nothing to act on. */
export function useMessageList(
  source: MessageSource | null,
  initial: InboxState,
  firstProblem: PageProblem | null = null,
) {
  const [state, dispatch] = useReducer(inboxReducer, initial)
  const { busy, problem, attempt } = useAttempt(firstProblem)
  const { next } = state
  const older = useCallback(
    () =>
      attempt(async () => {
        if (next) await source?.load(next, dispatch)
      }),
    [attempt, source, next],
  )
  const remove = (id: string): Promise<boolean> =>
    attempt(async () => {
      await source?.remove(id)
      dispatch({ type: 'deleted', id })
    })
  return { state, dispatch, busy, problem, attempt, older, remove }
}

import { useCallback, useEffect } from 'react'
import type { HomeData } from '#contract/pages.ts'
import { api, ApiError, type PageProblem } from '../api/api.ts'
import { usePage } from '../app/page.tsx'
import { emptyInbox, type InboxEvent } from './inbox-state.ts'
import { followWhileShown } from './live-stream.ts'
import { type MessageSource, useMessageList } from './use-message-list.ts'

/** Longest delay of setTimeout in milliseconds. A longer one fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1

const source: MessageSource = {
  load: async (before, dispatch) => dispatch({ type: 'older', page: await api.messages(before) }),
  remove: api.remove,
}

const stateOf = (data: HomeData) => ({
  address: data.address,
  revision: data.revision,
  ended: data.ended,
  messages: data.inbox.messages,
  next: data.inbox.next,
})

/**
 * The address and its messages, live. Creates an address for a new visitor, except for crawlers and visits with a
 * recovery link (`byLink`; undefined until the browser has looked).
 */
export function useInbox(data: HomeData, firstProblem: PageProblem | null, byLink: boolean | undefined) {
  const { refresh } = usePage()
  const { state, dispatch, busy, problem, attempt, older, remove } = useMessageList(
    source,
    { ...emptyInbox, ...stateOf(data) },
    firstProblem,
  )
  const { revision } = state
  const expiresAt = state.address?.expiresAt
  const name = state.address?.address
  const lifetime = data.tool === 'ten-minute-mail' ? 'ten-minutes' : 'day'

  // A new payload is newer than all events of the stream.
  useEffect(() => dispatch({ type: 'reset', state: stateOf(data) }), [dispatch, data])

  const create = useCallback(
    () =>
      // No refresh is needed because the inbox of a new address is empty.
      attempt(async () => dispatch({ type: 'created', address: await api.create({ lifetime }) })),
    [dispatch, attempt, lifetime],
  )

  const createOnMount = byLink === false && data.createOnLoad && !data.ended && !firstProblem
  useEffect(() => {
    if (createOnMount) void create()
  }, [createOnMount, create])

  const follow = useCallback(
    (event: InboxEvent) => {
      // Another tab changed the address, so everything shown here belongs to the old one.
      if (event.type === 'address' && event.address.address !== name) void refresh()
      else dispatch(event)
    },
    [dispatch, name, refresh],
  )

  const checkAddress = useCallback(
    () =>
      void api.address().then(
        (address) => follow({ type: 'address', address }),
        (error: unknown) =>
          error instanceof ApiError && error.problem.code === 'unauthorized' && dispatch({ type: 'ended' }),
      ),
    [dispatch, follow],
  )

  // Another tab may have created an address already. Creating one here would delete it.
  const { ended } = state
  useEffect(() => {
    if (!ended) return undefined
    const checkIfVisible = (): void => {
      if (!document.hidden) checkAddress()
    }
    document.addEventListener('visibilitychange', checkIfVisible)
    return () => document.removeEventListener('visibilitychange', checkIfVisible)
  }, [ended, checkAddress])

  // An address can expire before the sweep sends an event. Clocks differ, so the server is asked.
  useEffect(() => {
    if (!expiresAt) return undefined
    const timer = setTimeout(checkAddress, Math.min(LONGEST_TIMER, Math.max(1000, Date.parse(expiresAt) - Date.now())))
    return () => clearTimeout(timer)
  }, [expiresAt, checkAddress])

  useEffect(() => {
    if (!name) return undefined
    return followWhileShown({ revision, dispatch: follow, onEnd: checkAddress })
  }, [name, revision, follow, checkAddress])

  return {
    ...state,
    /** Whether the first address is being created. */
    preparing: data.createOnLoad && byLink !== true && !state.address && !ended && !problem,
    problem,
    busy,
    create,
    refresh: () => attempt(refresh),
    extend: () => attempt(async () => dispatch({ type: 'address', address: await api.extend() })),
    end: () =>
      attempt(async () => {
        await api.end()
        dispatch({ type: 'ended' })
      }),
    remove,
    older,
  }
}

export type Inbox = ReturnType<typeof useInbox>

import { useCallback, useEffect, useReducer, useState } from 'react'
import type { HomeData } from '#contract/pages.ts'
import { api, ApiError, type PageProblem, problemOf } from '../api.ts'
import { usePage } from '../page.tsx'
import { emptyInbox, type InboxEvent, inboxReducer } from './inbox-state.ts'
import { followInbox } from './live-stream.ts'

const stateOf = (data: HomeData) => ({
  address: data.address,
  revision: data.revision,
  ended: data.ended,
  messages: data.inbox.messages,
  next: data.inbox.next,
})

/** The address and its mail, live. A first visitor's address is made here once `mayCreate`, unless the visitor is a crawler. */
export function useInbox(data: HomeData, firstProblem: PageProblem | null, mayCreate: boolean) {
  const { refresh } = usePage()
  const [state, dispatch] = useReducer(inboxReducer, { ...emptyInbox, ...stateOf(data) })
  const [problem, setProblem] = useState<PageProblem | null>(firstProblem)
  const [busy, setBusy] = useState(false)
  const { revision } = state
  const expiresAt = state.address?.expiresAt
  const name = state.address?.address
  const lifetime = data.tool === 'ten-minute-mail' ? 'ten-minutes' : 'day'

  // A new payload is newer than all that the stream told.
  useEffect(() => dispatch({ type: 'reset', state: stateOf(data) }), [data])

  /** Answers whether it went well; if not, the problem is shown. */
  const attempt = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    try {
      await work()
      setProblem(null)
      return true
    } catch (error) {
      setProblem(problemOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }, [])

  const create = useCallback(
    () =>
      // What the page would be loaded anew for is empty.
      attempt(async () => dispatch({ type: 'created', address: await api.create({ lifetime }) })),
    [attempt, lifetime],
  )

  const wanted = mayCreate && data.createOnLoad && !data.ended && !firstProblem
  useEffect(() => {
    if (wanted) void create()
  }, [wanted, create])

  const follow = useCallback(
    (event: InboxEvent) => {
      // Another tab took another address: all that is shown here belongs to the old one.
      if (event.type === 'address' && event.address.address !== name) void refresh()
      else dispatch(event)
    },
    [name, refresh],
  )

  const lookAgain = useCallback(
    () =>
      void api.address().then(
        (address) => follow({ type: 'address', address }),
        (error: unknown) =>
          error instanceof ApiError && error.problem.code === 'unauthorized' && dispatch({ type: 'ended' }),
      ),
    [follow],
  )

  // Another tab may have a new address by now; to make one here would end it.
  const { ended } = state
  useEffect(() => {
    if (!ended) return undefined
    const look = (): void => {
      if (!document.hidden) lookAgain()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [ended, lookAgain])

  // The end comes without a word where nobody sweeps at that moment. Clocks differ, so the server is asked.
  useEffect(() => {
    if (!expiresAt) return undefined
    const timer = setTimeout(lookAgain, Math.max(1000, Date.parse(expiresAt) - Date.now()))
    return () => clearTimeout(timer)
  }, [expiresAt, lookAgain])

  useEffect(() => {
    if (!name) return undefined
    let stop = (): void => {}
    const start = (): void => {
      stop()
      dispatch({ type: 'status', status: 'connecting' })
      stop = followInbox({ revision, dispatch: follow, onEnd: lookAgain })
    }
    // An open stream would keep the page out of the back-forward cache.
    const onHide = (): void => stop()
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) start()
    }
    start()
    addEventListener('pagehide', onHide)
    addEventListener('pageshow', onShow)
    return () => {
      stop()
      removeEventListener('pagehide', onHide)
      removeEventListener('pageshow', onShow)
    }
  }, [name, revision, follow, lookAgain])

  return {
    ...state,
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
    remove: (id: string) =>
      attempt(async () => {
        await api.remove(id)
        dispatch({ type: 'deleted', id })
      }),
    older: () =>
      attempt(async () => {
        if (state.next) dispatch({ type: 'older', page: await api.messages(state.next) })
      }),
  }
}

export type Inbox = ReturnType<typeof useInbox>

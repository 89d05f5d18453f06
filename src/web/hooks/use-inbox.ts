import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { AddressRequestJson } from '#contract/addresses.ts'
import type { HomeData } from '#contract/pages.ts'
import { shownTag } from '#core/mailbox/shown-tag.ts'
import { LONGEST_TIMER } from '#core/time.ts'
import { api, ApiError, type PageProblem } from '../api/api.ts'
import { setBars } from '../app/bars.ts'
import { serverNow } from '../app/clock.ts'
import { usePage } from '../app/page.tsx'
import { INBOX_KEY, local, session, PENDING_SECRET } from '../app/storage.ts'
import { checkPushes } from '../push/if-used.ts'
import { emptyInbox, type InboxEvent, inboxReducer, type ShownAddress } from './inbox-state.ts'
import { followInbox } from './live-stream.ts'
import { fileLoader } from './load-file.ts'
import { messageActions, useWithoutPending } from './message-actions.ts'
import { useAttempt } from './use-attempt.ts'
import { useShown } from './use-shown.ts'

const stateOf = (data: HomeData) => ({
  address: data.address,
  revision: data.revision,
  source: data,
  ended: data.ended,
  ...data.inbox,
})

/** Not needed on the first visit. */
const newAddress = fileLoader(() => import('../parts/dialogs.ts'))

const blocked = (): never => {
  throw new ApiError('cookies_blocked')
}

/**
 * The address and its messages, live. Creates an address for a new visitor, except for crawlers and visits with a
 * recovery link (`byLink`; undefined until the browser has looked).
 */
export function useInbox(data: HomeData, firstProblem: PageProblem | null, byLink: boolean | undefined) {
  const { refresh, reached } = usePage()
  const [whole, dispatch] = useReducer(inboxReducer, { ...emptyInbox, ...stateOf(data) })
  const state = useWithoutPending(whole)
  const { busy, problem, attempt, reached: clearOffline } = useAttempt(firstProblem)
  const { revision, source, messages } = state
  const expiresAt = state.address?.expiresAt
  const name = state.address?.address
  const { other } = data
  useShown(name ?? other ?? '')
  const isKept = data.kept !== null
  const lifetime = data.tool === 'ten-minute-mail' ? 'ten-minutes' : 'day'

  /** Whether an address was created and not opened yet. A browser without cookies can't. */
  const untried = useRef(false)

  // A late payload can be older than events of the stream. It starts again at the revision of the payload, and repeats them.
  useEffect(() => dispatch({ type: 'reset', state: stateOf(data) }), [data])

  const make = useCallback(
    async (create: (request: AddressRequestJson) => Promise<ShownAddress>, wanted: AddressRequestJson = {}) => {
      if (!navigator.cookieEnabled) blocked()
      dispatch({ type: 'created', address: await create({ lifetime, signedIn: isKept, ...wanted }) })
      untried.current = true
      // No refresh is needed because the inbox of a new address is empty. The list of a subscriber got longer.
      if (isKept) await refresh()
    },
    [lifetime, isKept, refresh],
  )

  const createOnMount = byLink === false && data.createOnLoad && !data.ended && !firstProblem
  const mayBeUnsure = byLink === false && !(data.address ?? other)
  useEffect(() => {
    // The page may have been left before it knew whether the server had created its new address.
    const reopen = async (): Promise<unknown> =>
      session.getItem(PENDING_SECRET) && (await (await newAddress()).openPending()) && (await refresh(), true)
    if (createOnMount) void attempt(async () => (await reopen()) || make(api.create))
    else if (mayBeUnsure) void reopen().catch(() => {})
  }, [createOnMount, mayBeUnsure, attempt, make, refresh])

  const follow = useCallback(
    (event: InboxEvent) => {
      // A server that sends events is reachable, whatever failed before.
      if (event.type === 'status' && event.status === 'live') {
        untried.current = false
        reached()
        clearOffline()
      }
      // Another tab changed the address, so everything shown here belongs to the old one.
      if (event.type === 'address' && event.address.address !== name) void refresh()
      else dispatch(event)
    },
    [name, refresh, reached, clearOffline],
  )

  const checkAddress = useCallback(
    () =>
      void newAddress()
        .then((file) => file.currentAddress())
        .then((address) => {
          if (address) return follow({ type: 'address', address })
          dispatch({ type: 'ended' })
          if (untried.current) void attempt(blocked)
        })
        .catch(() => {}),
    [follow, attempt],
  )

  /** Creates an address. `show` shows the inbox, for pages that are not it. */
  const create = (wanted: AddressRequestJson = {}, show?: () => Promise<unknown>) =>
    attempt(async () => {
      await make((await newAddress()).createAddress, wanted)
      await show?.()
    })

  // Another tab may have created an address already. A visitor who returns to this one sees it without a click.
  const { ended } = state
  useEffect(() => {
    if (!ended) return undefined
    const checkIfVisible = (): void => {
      if (!document.hidden) checkAddress()
    }
    document.addEventListener('visibilitychange', checkIfVisible)
    return () => document.removeEventListener('visibilitychange', checkIfVisible)
  }, [ended, checkAddress])

  // An address can expire before the sweep sends an event. The server is asked.
  useEffect(() => {
    if (!expiresAt) return undefined
    const timer = setTimeout(checkAddress, Math.min(LONGEST_TIMER, Math.max(1000, Date.parse(expiresAt) - serverNow())))
    return () => clearTimeout(timer)
  }, [expiresAt, checkAddress])

  useEffect(() => {
    setBars({ messages, followed: name ?? true, address: name ?? null })
    return () => setBars({ followed: false })
  }, [messages, name])

  // A subscriber has several addresses at once.
  useEffect(() => {
    if (name) void checkPushes(name, isKept)
  }, [name, isKept])

  useEffect(() => {
    if (name) local.setItem(INBOX_KEY, '1')
    else if (ended) local.removeItem(INBOX_KEY)
  }, [name, ended])

  useEffect(() => {
    if (!name) return undefined
    return followInbox({ path: `/events?shown=${shownTag(name)}&`, revision, dispatch: follow, onEnd: checkAddress })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- starts again after each payload
  }, [name, revision, source, follow, checkAddress])

  return {
    ...state,
    /** Whether the first address is being created. */
    preparing: data.createOnLoad && byLink !== true && !state.address && !ended && !problem,
    problem,
    busy,
    /**
     * Called when the time that a limit demands is over. Only a first visitor gets an address without another click: an
     * address may have received messages meanwhile.
     */
    onWaited: () => {
      if (byLink === false && data.createOnLoad && !name && !ended) void create()
    },
    deliveries: api.deliveries,
    create,
    refresh: () => attempt(refresh),
    extend: () => attempt(async () => dispatch({ type: 'address', address: await api.extend() })),
    deleteAddress: () =>
      attempt(async () => {
        await api.deleteAddress()
        dispatch({ type: 'ended' })
      }),
    ...messageActions(attempt, {
      ...api.changes(name),
      async older() {
        const before = state.next
        if (before) dispatch({ type: 'older', before, page: await api.messages(before) })
      },
    }),
  }
}

export type Inbox = ReturnType<typeof useInbox>

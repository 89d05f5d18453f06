import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import type { PrivateAddressJson } from '#contract/pages.ts'
import type { SealedMessageJson } from '#contract/private-addresses.ts'
import { problemOf } from '../../api/api.ts'
import { untilNextTry } from '../../api/retries.ts'
import { serverNow } from '../../app/clock.ts'
import { usePage } from '../../app/page.tsx'
import { emptyInbox, inboxReducer } from '../../hooks/inbox-state.ts'
import { followInbox } from '../../hooks/live-stream.ts'
import { messageActions, useWithoutPending } from '../../hooks/message-actions.ts'
import { useProblem } from '../../hooks/use-attempt.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import type { PrivateKeys } from '../../private/keys.ts'
import { createPrivateReader } from '../../private/mail-reader.ts'
import { privateApi } from '../../private/private-api.ts'
import { createPrivateInbox, type PrivateInbox } from '../../private/private-inbox.ts'

/** The messages of a fully private address, live, opened in this browser. */
export function usePrivateInbox({ id, address, revision }: PrivateAddressJson, keys: PrivateKeys) {
  const { refresh } = usePage()
  const [inbox, setInbox] = useState<PrivateInbox | null>(null)
  const [whole, dispatch] = useReducer(inboxReducer, {
    ...emptyInbox,
    address: { address, expiresAt: '', lifetime: 'subscription' },
  })
  const state = useWithoutPending(whole)
  const loadFirst = useCallback(async () => inbox && inbox.load().then(() => true), [inbox])
  /** Whether the first batch of the list is loaded. */
  const { loaded, again, busy, problem, attempt, reached } = useLoaded(loadFirst)
  /** Why some messages of the list can't be shown yet. */
  const { problem: unread, setProblem: setUnread } = useProblem()
  const [opening, setOpening] = useState(0)
  // Opening a message loads a new payload, but the inbox continues with its own stream.
  const first = useRef(revision)

  useEffect(() => {
    const opened = createPrivateInbox({
      id,
      keys,
      reader: createPrivateReader(keys),
      api: privateApi,
      dispatch,
      serverNow,
      wait: untilNextTry,
      onProblem: setUnread,
      onOpening: setOpening,
    })
    setInbox(opened)
    /** Called when the server ended the stream: the address was deleted or the session ended. */
    const checkAccess = (): void =>
      void privateApi.messages(id).catch((error: unknown) => {
        const { code } = problemOf(error)
        if (code === 'not_found' || code === 'not_signed_in') void refresh()
      })
    const stop = followInbox<SealedMessageJson, KeptAddressJson>({
      revision: first.current,
      path: `/account/private/${id}/events?`,
      onEnd: checkAccess,
      dispatch(event) {
        // A server that sends events is reachable, whatever failed before.
        if (event.type === 'status' && event.status === 'live') reached()
        if (event.type === 'message') return void opened.take(event.message)
        if (event.type === 'deleted') opened.forget(event.id)
        if (event.type !== 'address') dispatch(event)
      },
    })
    return () => {
      stop()
      opened.close()
    }
  }, [id, keys, refresh, setUnread, reached])

  const { next } = state
  const actions = useMemo(
    () => messageActions(attempt, inbox && { ...inbox, older: async () => next && inbox.load(next) }),
    [attempt, next, inbox],
  )
  const { messages } = state
  const deliveries = useMemo(() => inbox && (() => inbox.deliveries(messages)), [inbox, messages])
  return {
    ...state,
    ...actions,
    deliveries,
    inbox,
    textOf: (message: string) => inbox?.textOf(message),
    loaded,
    again,
    busy,
    opening: opening > 0,
    problem: problem ?? unread,
  }
}

export type PrivateState = ReturnType<typeof usePrivateInbox>

import { useEffect } from 'react'
import type { AddressJson } from '#contract/addresses.ts'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { api, problemOf } from '../api/api.ts'
import { getBars, setBars, useBars } from '../app/bars.ts'
import { INBOX_KEY, local } from '../app/storage.ts'
import { followInbox, type StreamEvent } from './live-stream.ts'
import { whilePageShown } from './while-page-shown.ts'

/**
 * Makes the function that applies the events of a stream to the bars. `load` loads the messages; it is called whenever the
 * stream is open.
 */
export function takeElsewhere(load: () => void): (event: StreamEvent<MessageSummaryJson, AddressJson>) => void {
  /**
   * Whether the address of this connection is known. It comes after what was missed, which is also in the list, and which may
   * be that of another address: the browser reconnects with the cookie that it has now.
   */
  let isKnown = false
  return (event) => {
    const { messages, address } = getBars()
    if (event.type === 'status' && event.status === 'live') {
      isKnown = false
      load()
    }
    if (event.type === 'address') {
      isKnown = true
      const now = event.address.address
      const isOther = address !== undefined && address !== now
      setBars({ address: now, messages: isOther ? [] : messages })
      if (isOther) load()
    }
    if (!isKnown) return
    if (event.type === 'deleted') setBars({ messages: messages.filter(({ id }) => id !== event.id) })
    if (event.type !== 'message') return
    const others = messages.filter(({ id }) => id !== event.message.id)
    setBars({ messages: [event.message, ...others].toSorted((a, b) => (a.id < b.id ? 1 : -1)) })
  }
}

/** Follows the visitor's inbox on pages that don't show it. */
export function useInboxElsewhere(): void {
  const { followed } = useBars()
  useEffect(() => {
    if (followed || local.getItem(INBOX_KEY) === null) return undefined
    const load = (): void =>
      void api.messages().then(
        ({ messages }) => setBars({ messages }),
        () => {},
      )
    const forget = (): void =>
      void api.address().then(
        ({ address }) => setBars({ address }),
        (error: unknown) => {
          if (problemOf(error).code !== 'unauthorized') return
          local.removeItem(INBOX_KEY)
          setBars({ messages: [], address: null })
        },
      )
    return whilePageShown(() =>
      // The stream starts now; the list is loaded whenever it is open.
      followInbox({ revision: Number.MAX_SAFE_INTEGER, onEnd: forget, dispatch: takeElsewhere(load) }),
    )
  }, [followed])
}

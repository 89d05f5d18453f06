import { useEffect } from 'react'
import type { AddressJson } from '#contract/addresses.ts'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { api, problemOf } from '../api/api.ts'
import { getBars, setBars, useBars } from '../app/bars.ts'
import { INBOX_KEY, local } from '../app/storage.ts'
import { followInbox, type StreamEvent } from './live-stream.ts'

type Event = StreamEvent<MessageSummaryJson, AddressJson>

function applyToList(event: Event): void {
  const { messages } = getBars()
  if (event.type === 'deleted') setBars({ messages: messages.filter(({ id }) => id !== event.id) })
  if (event.type !== 'message') return
  const others = messages.filter(({ id }) => id !== event.message.id)
  setBars({ messages: [event.message, ...others].toSorted((a, b) => (a.id < b.id ? 1 : -1)) })
}

/**
 * Makes the function that applies the events of a stream to the bars. `load` loads the messages; it is called whenever the
 * stream is open.
 */
export function takeElsewhere(load: () => void): (event: Event) => void {
  /**
   * What was missed, until the address of this connection is known, which comes after it: the browser reconnects with the
   * cookie that it has now, and that may be of another address.
   */
  let missed: Event[] | undefined = []
  return (event) => {
    if (event.type === 'status' && event.status === 'live') {
      missed = []
      load()
    }
    if (event.type !== 'address') return void (missed ? missed.push(event) : applyToList(event))
    const { messages, address } = getBars()
    const now = event.address.address
    const isOther = address !== undefined && address !== now
    setBars({ address: now, messages: isOther ? [] : messages })
    if (isOther) load()
    else missed?.forEach(applyToList)
    missed = undefined
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
    // The stream starts now; the list is loaded whenever it is open.
    return followInbox({ revision: Number.MAX_SAFE_INTEGER, onEnd: forget, dispatch: takeElsewhere(load) })
  }, [followed])
}

import type { FastifyRequest } from 'fastify'
import type { KeptAddressListJson } from '#contract/kept-addresses.ts'
import type { RouteContext } from '../context.ts'
import { keptListJson } from '../json.ts'
import { type GuardedStream, inRounds } from './stream.ts'

/** What changes within so many milliseconds is told at once. */
const GATHER = 50
/** After a look the store has at least this many times as long for others. */
const REST = 2

/**
 * Writes the list of a subscriber's addresses, at once and whenever it or one of the inboxes has changed. Ends when the
 * subscriber is not signed in any more or either side closes.
 */
export function followKept(stream: GuardedStream, request: FastifyRequest, context: RouteContext): Promise<void> {
  const { account, deps } = context
  let shown = ''
  let sent = 0
  let pause = GATHER
  let due: NodeJS.Timeout | undefined
  let watched: string | undefined
  let stopWatching = (): void => {}
  let wake = (): void => {}

  const soon = (): void => {
    due ??= setTimeout(() => {
      due = undefined
      wake()
    }, pause)
  }

  /** Looks until it was watching all that it saw, so that nothing slips in between. */
  async function look(): Promise<KeptAddressListJson | undefined> {
    for (;;) {
      const signedIn = await account.find(request)
      if (!signedIn) return undefined
      const kept = await deps.keptAddresses.look(signedIn.subscription)
      const ids = kept.map(({ id }) => id)
      if (ids.join() === watched) return keptListJson(kept)
      stopWatching()
      stopWatching = deps.keptAddresses.watch(signedIn.subscription, ids, soon)
      watched = ids.join()
    }
  }

  async function tell(list: KeptAddressListJson): Promise<void> {
    const text = JSON.stringify(list)
    if (text !== shown) stream.send('addresses', ++sent, list)
    shown = text
    await stream.flushed()
  }

  return inRounds(stream, context, {
    watch(onChange) {
      wake = onChange
      return () => {
        clearTimeout(due)
        stopWatching()
      }
    },
    async look() {
      const started = performance.now()
      const list = await look()
      pause = Math.max(GATHER, (performance.now() - started) * REST)
      return list && (() => tell(list))
    },
  })
}

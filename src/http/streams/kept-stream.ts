import type { FastifyRequest } from 'fastify'
import type { KeptAddressListJson } from '#contract/kept-addresses.ts'
import type { RouteContext } from '../context.ts'
import { keptListJson } from '../json/account.ts'
import { type GuardedStream, inRounds } from './stream.ts'

/** Changes within this many milliseconds are sent together. */
const GATHER = 50
/** After a query, the store is free for at least this many times its duration. */
const REST = 2

/**
 * Writes the list of a subscriber's addresses at once, and whenever the list or an inbox changes. Ends when the
 * subscriber is signed out or either side closes.
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

  /** Repeats the query until every inbox in it is watched, so that no change is missed. */
  async function readList(): Promise<KeptAddressListJson | undefined> {
    for (;;) {
      const signedIn = await account.find(request)
      if (!signedIn) return undefined
      const kept = await deps.keptAddresses.list(signedIn.subscription)
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
    async read() {
      const started = performance.now()
      const list = await readList()
      pause = Math.max(GATHER, (performance.now() - started) * REST)
      return list && (() => tell(list))
    },
  })
}

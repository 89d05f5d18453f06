import { createHmac } from 'node:crypto'
import type { Channel } from '#core/events.ts'
import type { TokenBuckets } from '#core/token-buckets.ts'

/** How long tokens are collected before they are sent to the other nodes, in milliseconds. */
const GATHER = 100
const NAME_LENGTH = 12

/**
 * Lets buckets count across nodes: each node sends the others what it gave to whom. During the collection time a client
 * may get the burst of each node; afterwards everything counts everywhere. Clients are sent under a keyed name, never
 * by address.
 */
export function shareLimits(buckets: Record<string, TokenBuckets>, channel: Channel, key: Uint8Array): void {
  for (const [limit, bucket] of Object.entries(buckets)) {
    const topic = `limit-${limit}`
    let given = new Map<string, number>()

    bucket.nameOf = (client) => createHmac('sha256', key).update(client).digest('base64url').slice(0, NAME_LENGTH)
    bucket.onTaken = (name, tokens) => {
      if (given.size === 0) setTimeout(tell, GATHER).unref()
      given.set(name, (given.get(name) ?? 0) + tokens)
    }
    channel.onItems(topic, (items) => {
      for (const [name = '', tokens] of items.map((item) => item.split('='))) bucket.debit(name, Number(tokens))
    })

    function tell(): void {
      const due = given
      given = new Map()
      for (const [name, tokens] of due) channel.send(topic, `${name}=${tokens}`)
    }
  }
}

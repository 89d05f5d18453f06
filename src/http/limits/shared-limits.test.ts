import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { Channel } from '#core/events.ts'
import { visitorNetworks } from '#core/networks.ts'
import { TokenBuckets } from '#core/token-buckets.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { shareLimits } from './shared-limits.ts'

const key = randomBytes(32)
const INTERVAL = 1000

/** Nodes with a bucket of 5 each, joined without a network. `sent` contains everything that one sent to another. */
function nodes(count: number) {
  const time = { now: 0 }
  const sent: string[] = []
  const listeners = Array.from({ length: count }, () => new Map<string, (items: readonly string[]) => void>())
  const buckets = listeners.map((own) => {
    const channel: Channel = {
      send(topic, item) {
        sent.push(item)
        for (const each of listeners) if (each !== own) each.get(topic)?.([item])
      },
      onItems: (topic, listener) => void own.set(topic, listener),
      onGap() {},
    }
    const bucket = new TokenBuckets(5, INTERVAL, () => time.now)
    shareLimits({ creations: bucket }, channel, key)
    return bucket
  })
  const take = (node: number, client: string): boolean => {
    return buckets[node]!.take(visitorNetworks(client)).allowed
  }
  return { time, sent, take }
}

test('what one node gave counts on all nodes, and refills everywhere', async () => {
  const { time, sent, take } = nodes(3)
  for (let i = 0; i < 5; i++) expect(take(0, '192.0.2.1')).toBe(true)
  expect(take(0, '192.0.2.1')).toBe(false)
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE)
  expect(take(1, '192.0.2.1')).toBe(false)
  expect(take(2, '192.0.2.1')).toBe(false)
  expect(take(1, '192.0.2.2')).toBe(true)
  time.now += INTERVAL
  expect(take(2, '192.0.2.1')).toBe(true)
})

test('the tokens that several nodes granted to one client are charged on all of them', async () => {
  const { time, sent, take } = nodes(3)
  for (const node of [0, 1, 2]) for (let i = 0; i < 5; i++) expect(take(node, '192.0.2.1')).toBe(true)
  await vi.waitFor(() => expect(sent).toHaveLength(3), PATIENCE)
  // 15 of 5: ten intervals of debt.
  time.now += 10 * INTERVAL
  expect([0, 1, 2].map((node) => take(node, '192.0.2.1'))).toEqual([false, false, false])
  time.now += INTERVAL
  expect(take(1, '192.0.2.1')).toBe(true)
})

test('sends no address of a client', async () => {
  const { sent, take } = nodes(2)
  take(0, '192.0.2.77')
  await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE)
  expect(sent[0]).toMatch(/^[\w-]{12}=1$/)
})

test('counts what the /64s of a /48 got on all nodes together', async () => {
  const { sent, take } = nodes(2)
  const from = (node: number) => {
    let count = 0
    while (take(node, `2001:db8:0:${(node * 128 + count).toString(16)}::1`)) count++
    return count
  }
  expect(from(0)).toBe(50)
  await vi.waitFor(() => expect(sent).toHaveLength(50 + 2), 30_000)
  expect(from(1)).toBe(0)
  expect(take(1, '2001:db8:0:ff00::1')).toBe(true)
})

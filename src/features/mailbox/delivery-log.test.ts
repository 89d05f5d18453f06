import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { deliveriesOf } from '#core/events.ts'
import type { NewDelivery } from '#core/mailbox/delivery.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { createDeliveryLog, type FailedAttempt, OWN_ROWS } from './delivery-log.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000

/** A log whose sealer does not seal. `writes` are the stored rows, one list per transaction. */
function openLog({ put = async () => {} }: { put?: () => Promise<void> } = {}) {
  const writes: { row: NewDelivery; delivery: any }[][] = []
  const published: string[] = []
  const metrics = createMetrics()
  const log = createDeliveryLog({
    store: {
      async put(rows) {
        await put()
        const read = ({ sealedDelivery }: NewDelivery) => JSON.parse(Buffer.from(sealedDelivery).toString())
        writes.push(rows.map((row) => ({ row, delivery: read(row) })))
      },
    },
    sealer: { seal: async (items) => items.map(({ plaintext }) => plaintext) },
    newMessageId: messageIds(() => NOW, randomBytes),
    bus: { publish: (id) => void published.push(id) },
    clock: () => NOW,
    metrics,
    retention: { day: 24 * HOUR, 'ten-minutes': 24 * HOUR, subscription: 720 * HOUR, operator: 24 * HOUR },
  })
  const note = (id: string, fields: Partial<FailedAttempt['envelope']> = {}, attempt: Partial<FailedAttempt> = {}) =>
    log.note(
      { id, publicKey: new Uint8Array(32), lifetime: id === 'operator' ? 'operator' : 'day' },
      {
        envelope: {
          mailFrom: 'secret.local@shop.example',
          helo: 'mail.shop.example',
          clientAddress: '192.0.2.77',
          receivedAt: NOW,
          ...fields,
        },
        result: 'full',
        reply: '452 4.2.2 Mailbox full',
        size: null,
        ...attempt,
      },
    )
  const dropped = async () => Number(/deliveries_dropped_total (\d+)/.exec((await metrics.render()).body)?.[1] ?? 0)
  return { ...log, note, writes, published, dropped }
}

test('writes in the background, and tells the watchers', async () => {
  const log = openLog()
  log.note('one')
  expect(log.writes).toEqual([])
  await expect.poll(() => log.published, { timeout: 10_000 }).toEqual([deliveriesOf('one')])
  expect(log.writes).toHaveLength(1)
})

test('stores neither the local part of the sender nor the IP address', async () => {
  const log = openLog()
  log.note('one')
  log.note('two', { clientAddress: '2001:db8:1:2:3::4', helo: '[192.0.2.77]', mailFrom: '' })
  await log.settled()
  const [[one, two] = []] = log.writes
  expect(one?.row).toMatchObject({ addressId: 'one', expiresAt: NOW + 24 * HOUR })
  expect(one?.delivery.origin).toEqual({
    server: { name: 'mail.shop.example', network: '192.0.2.0/24' },
    senderDomain: 'shop.example',
  })
  expect(two?.delivery.origin).toEqual({ server: { name: null, network: '2001:db8:1:0::/48' }, senderDomain: null })
})

test('writes identical attempts as one row, and updates it', async () => {
  const log = openLog()
  for (let i = 0; i < 1000; i++) log.note('one', { receivedAt: NOW + i })
  await log.settled()
  log.note('one', { receivedAt: NOW + 1000 })
  await log.settled()
  expect(log.writes.map((rows) => rows.length)).toEqual([1, 1])
  const [[first] = [], [second] = []] = log.writes
  expect(first?.delivery).toMatchObject({ firstAt: NOW, at: NOW + 999, count: 1000 })
  expect(second?.delivery).toMatchObject({ firstAt: NOW, at: NOW + 1000, count: 1001 })
  expect(second?.row.id).toBe(first?.row.id)
})

test('begins a new row after an hour', async () => {
  const log = openLog()
  log.note('one')
  log.note('one', { receivedAt: NOW + HOUR })
  await log.settled()
  expect(log.writes.flat().map(({ delivery }) => delivery.count)).toEqual([1, 1])
})

test('gives an address a bounded number of rows, whatever senders call themselves', async () => {
  const log = openLog()
  for (let i = 0; i < 500; i++) log.note('one', { mailFrom: `a@${i}.example` })
  log.note('two')
  await log.settled()
  const rows = log.writes.flat()
  expect(rows).toHaveLength(OWN_ROWS + 2)
  const shared = rows.find(({ delivery }) => delivery.origin === null)
  expect(shared?.delivery).toMatchObject({ count: 500 - OWN_ROWS, reply: null })
})

test('drops attempts when too many wait, and those that cannot be stored', async () => {
  const log = openLog()
  for (let i = 0; i < 1100; i++) log.note(`address ${i}`)
  expect(await log.dropped()).toBe(100)
  await log.settled()
  expect(log.writes.map((rows) => rows.length)).toEqual([200, 200, 200, 200, 200])
  const broken = openLog({ put: () => Promise.reject(new Error('no disk')) })
  broken.note('one')
  await broken.settled()
  expect(await broken.dropped()).toBe(1)
})

test('records nothing for the operator mailbox', async () => {
  const log = openLog()
  log.note('operator')
  await log.settled()
  expect(log.writes).toEqual([])
})

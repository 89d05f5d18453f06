import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MessageRow, NewMessage, OperatorShare } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { DAY, HOUR } from '#core/time.ts'
import { appendAll, claimed, key, newMessage, NOW } from './fixtures.ts'
import { messageChangesContract } from './message-changes.suite.ts'

const rowOf = ({ addressId, id, receivedAt, expiresAt, size }: NewMessage, revision: number): MessageRow => ({
  addressId,
  id,
  revision,
  receivedAt,
  expiresAt,
  size,
  seen: false,
  sealedSummary: null,
})

export function messagesContract(current: () => Store): void {
  const messages = () => current().messages
  const usedBytes = async (id: string) => (await current().addresses.find(id, NOW))?.usedBytes
  const revision = async (id: string) => (await current().addresses.find(id, NOW))?.revision
  const listed = async (id: string, options = {}) =>
    (await messages().list(id, { now: NOW, limit: 100, ...options })).map((row) => row.id)

  describe('messages', () => {
    test('lists appended messages newest first, and returns their bodies', async () => {
      const { id } = await claimed(current())
      const [one, two] = [newMessage(id), newMessage(id, { sealedBody: randomBytes(300_000), size: 290_000 })]
      expect(await messages().append([one, two])).toEqual(['stored', 'stored'])
      expect(await messages().list(id, { now: NOW, limit: 10 })).toEqual([rowOf(two, 2), rowOf(one, 1)])
      expect(await messages().find(id, one.id, NOW)).toEqual(rowOf(one, 1))
      expect(await messages().body(two)).toEqual(new Uint8Array(two.sealedBody))
      expect(await messages().body(one)).toEqual(new Uint8Array(one.sealedBody))
      expect(await usedBytes(id)).toBe(291_000)
      expect(await revision(id)).toBe(2)
    })

    test('does not return a message for another address', async () => {
      const [mine, other] = [await claimed(current()), await claimed(current())]
      const message = newMessage(mine.id)
      await messages().append([message])
      expect(await messages().find(other.id, message.id, NOW)).toBeUndefined()
      expect(await messages().body({ ...message, addressId: other.id })).toBeUndefined()
      expect(await messages().mark(other.id, message.id, { seen: true })).toBeUndefined()
      expect(await messages().remove(other.id, message.id)).toBeUndefined()
      expect(await listed(mine.id)).toEqual([message.id])
    })

    test('returns outcomes in order, for full and missing mailboxes too', async () => {
      const [full, roomy] = [await claimed(current()), await claimed(current())]
      const limitBytes = 2500
      const batch = [
        newMessage(full.id, { limitBytes }),
        newMessage(roomy.id),
        newMessage(full.id, { limitBytes }),
        newMessage(key()),
        newMessage(full.id, { limitBytes }),
        newMessage(full.id, { limitBytes, size: 500 }),
        newMessage(roomy.id),
        newMessage(full.id, { limitBytes, size: 1 }),
      ]
      const outcomes = ['stored', 'stored', 'stored', 'gone', 'full', 'stored', 'stored', 'full']
      expect(await messages().append(batch)).toEqual(outcomes)
      expect(await usedBytes(full.id)).toBe(2500)
      const stored = batch.filter((_, i) => outcomes[i] === 'stored')
      expect(await listed(full.id)).toEqual(
        stored
          .filter(({ addressId }) => addressId === full.id)
          .map(({ id }) => id)
          .toReversed(),
      )
      for (const message of batch) {
        const body = await messages().body(message)
        expect(body !== undefined).toBe(stored.includes(message))
      }
    })

    test('counts the bytes per share of a mailbox', async () => {
      const [mailbox, other] = [await claimed(current()), await claimed(current())]
      const shares = ['abuse', 'abuse', 'contact', undefined] as const
      const batch = shares.map((share, i) =>
        newMessage(mailbox.id, { share, size: 10 ** i, expiresAt: NOW + HOUR * (i + 1) }),
      )
      const fromOne = (['abuse', 'problem'] as const).map((share) => newMessage(other.id, { share, network: 'one' }))
      await messages().append([...batch, ...fromOne, newMessage(other.id, { share: 'abuse', network: 'two', size: 5 })])
      expect(await messages().usedByShare(other.id, NOW)).toEqual({ abuse: 1005, problem: 1000 })
      const used = (share: OperatorShare, network: string) => messages().usedByNetwork(other.id, share, network, NOW)
      expect([await used('abuse', 'one'), await used('abuse', 'two'), await used('abuse', 'on')]).toEqual([1000, 5, 0])
      expect(await messages().usedByNetwork(other.id, 'abuse', 'one', NOW + DAY)).toBe(0)
      expect(await messages().usedByShare(mailbox.id, NOW)).toEqual({ abuse: 11, contact: 100 })
      await messages().remove(mailbox.id, batch[1]!.id)
      expect(await messages().usedByShare(mailbox.id, NOW)).toEqual({ abuse: 1, contact: 100 })
      expect(await messages().usedByShare(mailbox.id, NOW + HOUR)).toEqual({ contact: 100 })
      expect(await messages().usedByShare(key(), NOW)).toEqual({})
    })

    test('stores many messages concurrently, for one address and for many', async () => {
      const addresses = await Promise.all(Array.from({ length: 50 }, () => claimed(current())))
      const batch = Array.from({ length: 500 }, (_, i) => newMessage(addresses[i % 3 === 0 ? 0 : i % 50]!.id))
      const [outcomes, more] = await Promise.all([
        appendAll(messages(), batch),
        appendAll(messages(), [newMessage(addresses[0]!.id)]),
      ])
      expect([...outcomes, ...more].every((outcome) => outcome === 'stored')).toBe(true)
      const expected = batch.filter(({ addressId }) => addressId === addresses[0]!.id).length + 1
      expect(await revision(addresses[0]!.id)).toBe(expected)
      expect(await listed(addresses[0]!.id, { limit: 1000 })).toHaveLength(expected)
      expect(await messages().append([])).toEqual([])
    })

    test('stores no message with an id before that of another message of its inbox', async () => {
      const [address, other] = [await claimed(current()), await claimed(current())]
      const [early, last, elsewhere] = [newMessage(address.id), newMessage(address.id), newMessage(other.id)]
      expect(await messages().append([last])).toEqual(['stored'])
      const [full, late] = [{ ...early, limitBytes: 1999 }, newMessage(address.id)]
      const outcomes = [{ after: last.id }, 'full', 'stored', 'stored', { after: late.id }]
      expect(await messages().append([early, full, elsewhere, late, early])).toEqual(outcomes)
      expect(await listed(address.id)).toEqual([late.id, last.id])
      expect([await messages().body(early), await usedBytes(address.id)]).toEqual([undefined, 2000])
    })

    test.each(['was deleted', 'has expired'])(
      'stores no message with an id before that of the last one, which %s',
      async (how) => {
        const { id } = await claimed(current())
        const [first, early, last] = [newMessage(id), newMessage(id), newMessage(id, { expiresAt: NOW + HOUR })]
        await messages().append([first, last])
        if (how === 'was deleted') await messages().remove(id, last.id)
        else await messages().removeExpired(NOW + HOUR + 1, 10)
        // A client may wait for messages after the last id.
        expect(await messages().append([early])).toEqual([{ after: last.id }])
        const [outcome] = await appendAll(messages(), [early])
        expect(outcome).toBe('stored')
        expect(await listed(id, { after: last.id })).toHaveLength(1)
      },
    )

    test('rejects messages that arrived after their address expired, and keeps earlier ones', async () => {
      const { id, expiresAt } = await claimed(current())
      expect(await messages().append([newMessage(id, { receivedAt: expiresAt - 1 })])).toEqual(['stored'])
      expect(await messages().append([newMessage(id, { receivedAt: expiresAt })])).toEqual(['gone'])
    })

    test('stores nothing of a failed batch, and does not affect other batches', async () => {
      const { id } = await claimed(current())
      const fine = newMessage(id)
      const [before, impossible] = [newMessage(id), newMessage(id, { size: 0.5 })]
      const results = await Promise.allSettled([
        appendAll(messages(), [fine]),
        appendAll(messages(), [before, impossible]),
        appendAll(messages(), [newMessage(id)]),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await listed(id)).toHaveLength(2)
      expect(await usedBytes(id)).toBe(2000)
      expect(await messages().body(impossible)).toBeUndefined()
    })

    test('lists messages between two ids', async () => {
      const { id } = await claimed(current())
      const batch = Array.from({ length: 5 }, () => newMessage(id))
      await messages().append(batch)
      const ids = batch.map((each) => each.id)
      expect(await listed(id, { limit: 2 })).toEqual([ids[4], ids[3]])
      expect(await listed(id, { limit: 2, before: ids[3] })).toEqual([ids[2], ids[1]])
      expect(await listed(id, { after: ids[2] })).toEqual([ids[4], ids[3]])
      expect(await listed(id, { after: ids[0], before: ids[3] })).toEqual([ids[2], ids[1]])
    })

    test('does not return expired messages, before or after the sweep', async () => {
      const { id } = await claimed(current())
      const message = newMessage(id, { expiresAt: NOW + HOUR })
      await messages().append([message])
      expect(await messages().find(id, message.id, NOW + HOUR - 1)).toBeDefined()
      expect(await messages().find(id, message.id, NOW + HOUR)).toBeUndefined()
      expect(await messages().list(id, { now: NOW + HOUR, limit: 10 })).toEqual([])
      expect((await messages().changes(id, 0, NOW + HOUR)).messages).toEqual([])
    })

    test('knows the messages that an address has or had, and no others', async () => {
      const { id } = await claimed(current())
      const other = await claimed(current())
      const [kept, deleted, expired] = [newMessage(id), newMessage(id), newMessage(id, { expiresAt: NOW + HOUR })]
      await messages().append([kept, deleted, expired])
      await messages().remove(id, deleted.id)
      const known = () => Promise.all([kept, deleted, expired].map((each) => messages().knows(id, each.id)))
      expect(await known()).toEqual([true, true, true])
      await messages().removeExpired(NOW + HOUR, 10)
      expect(await known()).toEqual([true, true, true])
      expect(await messages().knows(other.id, kept.id)).toBe(false)
      expect(await messages().knows(other.id, deleted.id)).toBe(false)
      expect(await messages().knows(id, newMessage(id).id)).toBe(false)
    })

    test('returns changes since a revision, and messages without a summary', async () => {
      const { id } = await claimed(current())
      const [one, two, three] = [newMessage(id), newMessage(id), newMessage(id)]
      await messages().append([one, two, three])
      const sealedSummary = new Uint8Array(randomBytes(200))
      await messages().attachSummaries([
        { ...two, sealedSummary },
        { ...one, addressId: key(), sealedSummary },
        { ...one, sealedSummary },
        { ...one, id: key(), sealedSummary },
      ])
      expect(await revision(id)).toBe(5)
      const since = async (revisionSeen: number) =>
        (await messages().changes(id, revisionSeen, NOW)).messages.map((row) => [row.id, row.revision])
      expect(await since(0)).toEqual([
        [three.id, 3],
        [two.id, 4],
        [one.id, 5],
      ])
      expect(await since(4)).toEqual([
        [three.id, 3],
        [one.id, 5],
      ])
      expect(await since(5)).toEqual([[three.id, 3]])
      await messages().attachSummaries([{ ...three, sealedSummary }])
      expect(await since(5)).toEqual([[three.id, 6]])
      expect(await since(6)).toEqual([])
      expect((await messages().find(id, two.id, NOW))?.sealedSummary).toEqual(sealedSummary)
    })

    test('keeps a stored summary if a new one is only for messages without any', async () => {
      const { id } = await claimed(current())
      const [one, two] = [newMessage(id), newMessage(id)]
      await messages().append([one, two])
      const summaries = Array.from({ length: 4 }, () => new Uint8Array(randomBytes(50)))
      const [first, late, checked, pending] = summaries as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
      const summaryOf = async (message: NewMessage) => (await messages().find(id, message.id, NOW))?.sealedSummary
      await messages().attachSummaries([{ ...one, sealedSummary: first, onlyIfNone: true }])
      expect(await summaryOf(one)).toEqual(first)
      await messages().attachSummaries([{ ...one, sealedSummary: late, onlyIfNone: true }])
      expect(await summaryOf(one)).toEqual(first)
      // In the same call, in both orders.
      await messages().attachSummaries([
        { ...one, sealedSummary: pending, onlyIfNone: true },
        { ...one, sealedSummary: checked },
        { ...two, sealedSummary: checked },
        { ...two, sealedSummary: pending, onlyIfNone: true },
      ])
      expect([await summaryOf(one), await summaryOf(two)]).toEqual([checked, checked])
      expect(await revision(id)).toBe((await messages().find(id, two.id, NOW))!.revision)
    })

    test('frees the bytes of a message that has expired and is then deleted once', async () => {
      const { id } = await claimed(current())
      const [expired, kept] = [newMessage(id, { expiresAt: NOW + HOUR }), newMessage(id, { size: 300 })]
      await messages().append([expired, kept])
      await messages().removeExpired(NOW + HOUR, 10)
      expect(await usedBytes(id)).toBe(300)
      await messages().remove(id, expired.id)
      expect(await usedBytes(id)).toBe(300)
      await messages().remove(id, kept.id)
      expect(await usedBytes(id)).toBe(0)
    })

    test('removes expired messages up to a limit, oldest first, and keeps tombstones for an hour', async () => {
      const [one, two] = [await claimed(current()), await claimed(current())]
      const batch = [
        newMessage(one.id, { expiresAt: NOW + 3 * HOUR }),
        newMessage(two.id, { expiresAt: NOW + HOUR }),
        newMessage(one.id, { expiresAt: NOW + 2 * HOUR }),
        newMessage(one.id),
      ]
      await messages().append(batch)
      expect(await messages().removeExpired(NOW + HOUR - 1, 10)).toEqual({ addressIds: [], removed: 0 })
      const { addressIds, removed } = await messages().removeExpired(NOW + 3 * HOUR, 2)
      expect(addressIds.toSorted()).toEqual([two.id, one.id].toSorted())
      expect(removed).toBe(2)
      expect(await messages().removeExpired(NOW + 3 * HOUR, 2)).toEqual({ addressIds: [one.id], removed: 1 })
      expect(await listed(one.id, { now: NOW + 3 * HOUR })).toEqual([batch[3]!.id])
      await current().maintain(NOW + 3 * HOUR)
      expect(await messages().body(batch[1]!)).toBeUndefined()
      expect(await usedBytes(one.id)).toBe(1000)
      const gone = async (now: number) => (await messages().changes(one.id, 3, now)).deleted
      const expected = [
        { id: batch[2]!.id, revision: 4 },
        { id: batch[0]!.id, revision: 5 },
      ]
      expect(await gone(NOW + 4 * HOUR - 1)).toEqual(expected)
      expect(await messages().removeExpired(NOW + 4 * HOUR, 1)).toEqual({ addressIds: [], removed: 0 })
      expect(await gone(NOW)).toEqual([])
    })
  })

  messageChangesContract(current)
}

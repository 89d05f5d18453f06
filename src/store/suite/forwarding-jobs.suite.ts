import { describe, expect, test } from 'vitest'
import type { WaitingJob } from '#core/forwarding/forwarding.ts'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import { claimed, key, newMessage, NOW } from './fixtures.ts'
import { ANY, forwarded, newForwarded, newJob, takeAll } from './forwarding-fixtures.ts'

export function forwardingJobsContract(current: () => Store): void {
  const jobs = () => current().forwardingJobs
  const append = (...messages: Parameters<Store['messages']['append']>[0]) => current().messages.append(messages)
  const idsOf = (taken: readonly { id: string }[]): string[] => taken.map(({ id }) => id).toSorted()

  /** Creates an address that forwards to `count` destinations. */
  async function forwarding(destinations = 1) {
    const { id } = await claimed(current())
    const rows = []
    for (let i = 0; i < destinations; i++) rows.push(await forwarded(current(), id, { createdAt: NOW + i }))
    return { id, rows: rows as [(typeof rows)[0], ...typeof rows] }
  }

  describe('forwarding jobs', () => {
    test('are queued with their message, which they share, and leased when due', async () => {
      const { id, rows } = await forwarding(2)
      const message = newForwarded(rows)
      expect(await append(message)).toEqual(['stored'])
      expect(await jobs().waiting()).toBe(2)
      expect(await jobs().take(NOW - 1, NOW + HOUR, ANY)).toEqual([])
      const taken = await jobs().take(NOW, NOW + HOUR, ANY)
      const expected = message.forwarding.jobs.map((job) => ({
        ...job,
        addressId: id,
        messageId: message.id,
        createdAt: NOW,
        attempts: 0,
        size: message.size,
        leasedUntil: NOW + HOUR,
      }))
      expect(taken.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(expected)
      for (const job of taken) expect(await jobs().mail(job)).toEqual(message.forwarding.sealedMail)
      expect(await jobs().mail({ addressId: key(), messageId: message.id })).toBeUndefined()
      expect(await jobs().take(NOW + HOUR - 1, NOW + DAY, ANY)).toEqual([])
      expect(await jobs().take(NOW + HOUR, NOW + DAY, ANY)).toHaveLength(2)
    })

    test('are not queued for a message that is not stored, or without jobs', async () => {
      const { id, rows } = await forwarding()
      const gone = await forwarding()
      await current().addresses.remove(gone.id, NOW + DAY)
      const [first, large, lost] = [
        newForwarded(rows),
        newForwarded(rows, { size: 2_000_000 }),
        newForwarded(gone.rows),
      ]
      const none = newMessage(id, { forwarding: { sealedMail: new Uint8Array(9), jobs: [] } })
      const [plain, last] = [newMessage(id), newForwarded(rows)]
      const outcomes = await append(first, large, lost, none, plain, last)
      expect(outcomes).toEqual(['stored', 'full', 'gone', 'stored', 'stored', 'stored'])
      expect(idsOf(await takeAll(current()))).toEqual(idsOf([...first.forwarding.jobs, ...last.forwarding.jobs]))
      expect(await current().messages.body(last)).toEqual(new Uint8Array(last.sealedBody))
      expect((await current().addresses.find(id, NOW))?.usedBytes).toBe(4000)
    })

    test('carry the id of the message', async () => {
      const { id, rows } = await forwarding()
      const [before, message] = [newMessage(id), newForwarded(rows)]
      expect(await append(before, message)).toEqual(['stored', 'stored'])
      const [job] = await takeAll(current())
      expect(job?.messageId).toBe(message.id)
      expect(await jobs().mail(job!)).toEqual(message.forwarding.sealedMail)
      await current().messages.remove(id, message.id)
      expect(await jobs().waiting()).toBe(0)
    })

    test('are leased one per destination, the oldest first, and none to busy destinations', async () => {
      const [bomb, other] = [await forwarding(), await forwarding()]
      const slow = [3, 1, 2].map((after) => newForwarded(bomb.rows, { receivedAt: NOW + after }))
      const fast = newForwarded(other.rows, { receivedAt: NOW + 9 })
      await append(...slow, fast)
      const take = async (rules: object): Promise<string[]> =>
        (await jobs().take(NOW + 9, NOW + HOUR, { ...ANY, ...rules })).map(({ messageId }) => messageId)
      expect(await take({ limit: 0 })).toEqual([])
      expect(await take({ except: [bomb.rows[0].destinationKey, other.rows[0].destinationKey] })).toEqual([])
      expect(await take({ limit: 1 })).toEqual([slow[1]!.id])
      expect((await take({})).toSorted()).toEqual([slow[2]!.id, fast.id].toSorted())
      expect([await take({}), await take({})]).toEqual([[slow[0]!.id], []])
    })

    test('are leased without attempts first, then the oldest', async () => {
      const [again, fresh, later] = [await forwarding(), await forwarding(), await forwarding()]
      const tried = newForwarded(again.rows)
      await append(tried)
      const [job] = await jobs().take(NOW, NOW + HOUR, ANY)
      await jobs().postpone(job!, NOW + 1)
      const untried = [
        newForwarded(later.rows, { receivedAt: NOW + 3 }),
        newForwarded(fresh.rows, { receivedAt: NOW + 2 }),
      ]
      await append(...untried)
      const taken = []
      for (let i = 0; i < 3; i++) taken.push(...(await jobs().take(NOW + 3, NOW + HOUR, { ...ANY, limit: 1 })))
      expect(taken.map(({ messageId }) => messageId)).toEqual([untried[1]!.id, untried[0]!.id, tried.id])
    })

    test('are leased to one of many concurrent callers', async () => {
      const created = await Promise.all(Array.from({ length: 5 }, () => forwarding()))
      const messages = created.flatMap(({ rows }) => Array.from({ length: 6 }, () => newForwarded(rows)))
      await append(...messages)
      const taken = await Promise.all(
        Array.from({ length: 10 }, () => jobs().take(NOW, NOW + HOUR, { ...ANY, limit: 4 })),
      )
      expect(taken.every((each) => each.length <= 4)).toBe(true)
      const all = [...taken.flat(), ...(await takeAll(current()))]
      expect(idsOf(all)).toEqual(idsOf(messages.flatMap((message) => message.forwarding.jobs)))
    })

    test('are finished only by the holder of the lease; the last one removes the message', async () => {
      const { rows } = await forwarding(2)
      const message = newForwarded(rows)
      await append(message)
      const [one, two] = (await jobs().take(NOW, NOW + HOUR, ANY)) as [WaitingJob, WaitingJob]
      expect(await jobs().finish({ ...one, leasedUntil: NOW }, 'sent', NOW)).toBe(false)
      expect(await jobs().postpone({ ...one, leasedUntil: NOW }, NOW)).toBe(false)
      const stale = await jobs().take(NOW + HOUR, NOW + DAY, ANY)
      expect(await jobs().finish(one, 'sent', NOW + HOUR)).toBe(false)
      expect(await jobs().postpone(two, NOW + HOUR)).toBe(false)
      const [first, second] = stale as [WaitingJob, WaitingJob]
      expect(await jobs().finish(first, 'refused', NOW + HOUR, '5.1.1')).toBe(true)
      expect(await jobs().finish(first, 'sent', NOW + HOUR)).toBe(false)
      expect(await jobs().mail(first)).toEqual(message.forwarding.sealedMail)
      expect(await jobs().postpone(second, NOW + 2 * HOUR)).toBe(true)
      expect(await jobs().waiting()).toBe(1)
      expect(await jobs().take(NOW + 2 * HOUR - 1, NOW + DAY, ANY)).toEqual([])
      const [again] = await jobs().take(NOW + 2 * HOUR, NOW + DAY, ANY)
      expect(again).toMatchObject({ id: second.id, attempts: 1 })
      expect(await jobs().postpone(again!, NOW + 2 * HOUR, { isAttempt: false })).toBe(true)
      const [last] = await jobs().take(NOW + 2 * HOUR, NOW + DAY, ANY)
      expect(last).toMatchObject({ id: second.id, attempts: 1, size: message.size })
      expect(await jobs().finish(last!, 'sent', NOW + 2 * HOUR)).toBe(true)
      expect(await jobs().mail(again!)).toBeUndefined()
      expect(await jobs().waiting()).toBe(0)
    })

    test('are logged, newest first', async () => {
      const { id, rows } = await forwarding()
      const messages = [newForwarded(rows), newForwarded(rows), newForwarded(rows)]
      await append(...messages)
      const ids = messages.map((message) => message.forwarding.jobs[0]!.id)
      const [first] = await jobs().take(NOW, NOW + HOUR, ANY)
      await jobs().finish(first!, 'too-big', NOW + 1)
      const log = await jobs().log(id, { limit: 9 })
      expect(log.map((each) => each.id)).toEqual(ids.toReversed())
      const { id: forwardingId, destinationKey } = rows[0]
      const line = { forwardingId, destinationKey, createdAt: NOW, attempts: 0, status: null }
      const waits = { ...line, dueAt: NOW, finishedAt: null, outcome: null }
      expect(log[1]).toEqual({ ...waits, id: ids[1], messageId: messages[1]!.id })
      const over = {
        ...line,
        id: ids[0],
        messageId: messages[0]!.id,
        dueAt: null,
        finishedAt: NOW + 1,
        outcome: 'too-big',
      }
      expect(log[2]).toEqual(over)
      const page = await jobs().log(id, { limit: 1, before: ids[2] })
      expect(page.map((each) => each.id)).toEqual([ids[1]])
      expect(await jobs().find(ids[0]!)).toEqual({ ...over, addressId: id })
      expect(await jobs().find(newJob(rows[0]).id)).toBeUndefined()
      expect(await jobs().log(key(), { limit: 9 })).toEqual([])
    })

    test('record a bounce once', async () => {
      const { rows } = await forwarding()
      await append(newForwarded(rows))
      const [job] = await jobs().take(NOW, NOW + HOUR, ANY)
      expect(await jobs().recordBounce(job!.id, '5.1.1')).toBe(false)
      await jobs().finish(job!, 'sent', NOW)
      const answers = await Promise.all([jobs().recordBounce(job!.id, '5.1.1'), jobs().recordBounce(job!.id, '5.1.1')])
      expect(answers.toSorted()).toEqual([false, true])
      expect(await jobs().find(job!.id)).toMatchObject({ outcome: 'refused', status: '5.1.1' })
    })

    test('are held until their message is released, or for a time', async () => {
      const [one, two] = [await forwarding(2), await forwarding()]
      const held = ({ rows }: Pick<typeof one, 'rows'>) => {
        const message = newForwarded(rows)
        return { ...message, forwarding: { ...message.forwarding, heldUntil: NOW + HOUR } }
      }
      const [released, retracted, forgotten, plain] = [held(one), held(two), held(two), newForwarded(two.rows)]
      await append(released, retracted, forgotten, plain)
      const heldOf = ({ addressId, id }: NewMessage) => ({ addressId, id, heldUntil: NOW + HOUR })
      const takeIds = async (now: number) => (await takeAll(current(), now)).map(({ messageId }) => messageId)
      expect(await takeIds(NOW + HOUR - 2)).toEqual([plain.id])
      await current().messages.retract([retracted])
      await expect.poll(() => jobs().waiting()).toBe(4)
      await jobs().release([heldOf(released), heldOf(retracted), heldOf(newMessage(one.id))], NOW + 5)
      expect(await takeIds(NOW + 4)).toEqual([])
      const taken = (await jobs().take(NOW + 5, NOW + DAY, ANY)).filter(({ addressId }) => addressId === one.id)
      expect(idsOf(taken)).toEqual(idsOf(released.forwarding.jobs))
      // A lease is not shortened.
      await jobs().release([heldOf(released)], NOW + 6)
      expect(await takeIds(NOW + HOUR)).toContain(forgotten.id)
      await jobs().release([heldOf(forgotten)], NOW + 6)
      const late = { dueAt: NOW + HOUR + 1 }
      expect(await jobs().log(two.id, { limit: 9 })).toMatchObject([late, late])
      expect(await jobs().log(one.id, { limit: 9 })).toMatchObject([{ dueAt: NOW + DAY }, { dueAt: NOW + DAY }])
    })

    test('are removed with a removed or retracted message, but not with an expired one', async () => {
      const { id, rows } = await forwarding()
      const [removed, doubtful] = [newForwarded(rows), newForwarded(rows)]
      const expired = newForwarded(rows, { expiresAt: NOW + HOUR })
      await append(removed, doubtful, expired)
      await current().messages.remove(id, removed.id)
      await current().messages.retract([doubtful])
      await current().messages.removeExpired(NOW + 2 * HOUR, 10)
      await expect.poll(() => jobs().waiting()).toBe(1)
      const [job, ...others] = await takeAll(current(), NOW + 2 * HOUR)
      expect([job?.messageId, others]).toEqual([expired.id, []])
      expect(await jobs().mail(job!)).toEqual(expired.forwarding.sealedMail)
      expect((await jobs().log(id, { limit: 9 })).map((each) => each.messageId)).toEqual([expired.id])
    })

    test('are removed from the log after a while, oldest first, unless they wait', async () => {
      const { id, rows } = await forwarding()
      const messages = [0, 1, 2, 3].map((after) => newForwarded(rows, { receivedAt: NOW + after }))
      await append(...messages)
      for (const at of [1, 2, 3]) {
        const [job] = await jobs().take(NOW + 9, NOW + HOUR, ANY)
        await jobs().finish(job!, 'sent', NOW + at)
      }
      expect(await jobs().forget(NOW + 1, 10)).toBe(0)
      expect([await jobs().forget(NOW + 9, 2), await jobs().forget(NOW + 9, 2)]).toEqual([2, 1])
      expect((await jobs().log(id, { limit: 9 })).map((each) => each.messageId)).toEqual([messages[3]!.id])
    })

    test('say when the limits of a destination allow the next message', async () => {
      const one = key()
      const limits = { perHour: 2, perDay: 3 }
      const start = NOW - (NOW % HOUR)
      const at = (hours: number): number => start + hours * HOUR
      const reserve = (hours: number) => jobs().reserve(one, at(hours), limits)
      const freeAt = (hours: number) => jobs().freeAt(one, at(hours), limits)
      expect(await freeAt(0.5)).toBe(at(0.5))
      for (let i = 0; i < 2; i++) await reserve(0)
      expect([await freeAt(0.5), await freeAt(1)]).toEqual([at(1), at(1)])
      await reserve(1)
      expect([await freeAt(1), await freeAt(23.5), await freeAt(24)]).toEqual([at(24), at(24), at(24)])
      for (let i = 0; i < 2; i++) expect(await reserve(24)).toBe(true)
      expect([await freeAt(24), await freeAt(25)]).toEqual([at(25), at(25)])
      expect(await jobs().freeAt(key(), NOW, limits)).toBe(NOW)
    })

    test('keep the hourly and daily limits of a destination under concurrency', async () => {
      const [one, other] = [key(), key()]
      const limits = { perHour: 3, perDay: 5 }
      const start = NOW - (NOW % HOUR)
      const reserve = (hours: number, of = one) => jobs().reserve(of, start + hours * HOUR, limits)
      const taken = async (hours: number): Promise<number> =>
        (await Promise.all(Array.from({ length: 8 }, () => reserve(hours)))).filter(Boolean).length
      expect([await taken(0), await taken(0), await taken(0.9)]).toEqual([3, 0, 0])
      expect([await taken(1), await taken(2), await taken(23.9)]).toEqual([2, 0, 0])
      expect(await reserve(2, other)).toBe(true)
      expect([await taken(24), await taken(25), await taken(26)]).toEqual([3, 2, 0])
      expect(await jobs().reserve(key(), NOW, { perHour: 0, perDay: 5 })).toBe(false)
      expect(await jobs().reserve(key(), NOW, { perHour: 5, perDay: 0 })).toBe(false)
      expect(await current().forwardings.forget(start + 2 * HOUR, 100)).toBe(2)
    })
  })
}

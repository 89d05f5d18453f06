import { describe, expect, test } from 'vitest'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import { claimed, key, newAddress, newMessage, NOW } from './fixtures.ts'
import { ask, forwarded, newForwarded, newForwarding, takeAll, TERMS } from './forwarding-fixtures.ts'

export function forwardingsContract(current: () => Store): void {
  const forwardings = () => current().forwardings
  describe('forwardings', () => {
    test('pauses and resumes a forwarding, and ends it once with its waiting jobs', async () => {
      const { id } = await claimed(current())
      const [one, other] = [await forwarded(current(), id), await forwarded(current(), id)]
      const waiting = newForwarding(id)
      await ask(current(), waiting)
      const { pause, end, find } = forwardings()
      expect([await pause(one.id, false), await pause(one.id, true), await pause(one.id, true)]).toEqual([
        false,
        true,
        false,
      ])
      expect((await find(one.id))?.state).toBe('paused')
      expect([await pause(one.id, false), await pause(waiting.id, true), await pause(key(), true)]).toEqual([
        true,
        false,
        false,
      ])
      const [both, alone] = [newForwarded([one, other]), newForwarded([one])]
      await current().messages.append([both, alone])
      expect([await end(one.id, 'bounced', NOW + 3), await end(one.id, 'stopped', NOW + 4)]).toEqual([true, false])
      expect(await end(key(), 'stopped', NOW)).toBe(false)
      expect(await find(one.id)).toMatchObject({ state: 'ended', end: 'bounced', endsAt: TERMS.endsAt })
      expect(await pause(one.id, false)).toBe(false)
      expect(await current().forwardingJobs.find(alone.forwarding.jobs[0]!.id)).toMatchObject({
        dueAt: null,
        finishedAt: NOW + 3,
        outcome: 'off',
      })
      expect(await current().forwardingJobs.mail({ addressId: id, messageId: alone.id })).toBeUndefined()
      expect((await takeAll(current())).map((job) => job.forwardingId)).toEqual([other.id])
    })

    test('lists a restarted forwarding once, and removes the oldest ended ones to make room', async () => {
      const { id } = await claimed(current(), { expiresAt: NEVER })
      const live = await forwarded(current(), id, { createdAt: NOW - DAY })
      const ended = []
      for (const i of [1, 2, 3]) {
        const each = newForwarding(id, { createdAt: NOW + i })
        expect(await ask(current(), each, NOW, { rows: 4 })).toBe('asked')
        await forwardings().end(each.id, 'stopped', NOW)
        ended.push(each)
      }
      const listed = async () => (await forwardings().list(id)).map((each) => each.id)
      expect(await listed()).toEqual([live.id, ...ended.map((each) => each.id)])
      const again = newForwarding(id, { createdAt: NOW + 4, destinationKey: ended[2]!.destinationKey })
      expect(await ask(current(), again, NOW, { rows: 4 })).toBe('asked')
      expect(await listed()).toEqual([live.id, ended[0]!.id, ended[1]!.id, again.id])
      const more = newForwarding(id, { createdAt: NOW + 5 })
      expect(await ask(current(), more, NOW, { rows: 4 })).toBe('asked')
      expect(await listed()).toEqual([live.id, ended[1]!.id, again.id, more.id])
    })

    test('removes an ended forwarding with its log', async () => {
      const { id } = await claimed(current())
      const [one, other] = [await forwarded(current(), id), await forwarded(current(), id)]
      await current().messages.append([newForwarded([one, other])])
      expect(await forwardings().remove(one.id)).toBe(false)
      await forwardings().end(one.id, 'stopped', NOW)
      expect([await forwardings().remove(one.id), await forwardings().remove(one.id)]).toEqual([true, false])
      expect((await forwardings().list(id)).map((each) => each.id)).toEqual([other.id])
      const log = await current().forwardingJobs.log(id, { limit: 9 })
      expect(log.map((each) => each.forwardingId)).toEqual([other.id])
      expect(await current().forwardingJobs.waiting()).toBe(1)
    })

    test('counts recent bounces per forwarding', async () => {
      const { id } = await claimed(current())
      const { id: on } = await forwarded(current(), id)
      const at = (days: number) => forwardings().recordBounce(on, NOW + days * DAY, NOW + (days - 7) * DAY)
      expect([await at(0), await at(6), await at(7), await at(8), await at(16)]).toEqual([1, 2, 3, 3, 1])
      expect(await forwardings().find(on)).toMatchObject({ bounces: 1 })
      expect(await forwardings().recordBounce(key(), NOW, NOW)).toBe(0)
      const counts = await Promise.all([at(17), at(17), at(17)])
      expect(counts.toSorted()).toEqual([2, 3, 4])
    })

    test.each(['ended', 'expired', 'taken over'])('removes everything with the address (%s)', async (how) => {
      const address = await claimed(current(), { expiresAt: NOW + HOUR })
      const other = await claimed(current(), { expiresAt: NOW + 99 * DAY })
      const gone = [await forwarded(current(), address.id), await forwarded(current(), address.id)] as const
      const stays = await forwarded(current(), other.id)
      const waiting = newForwarding(address.id)
      await ask(current(), waiting)
      const messages = Array.from({ length: 250 }, () => newForwarded(gone))
      const kept = newForwarded([stays])
      await current().messages.append([...messages, kept, newMessage(address.id)])
      await forwardings().recordBounce(gone[0].id, NOW, NOW)
      const after = NOW + 90 * DAY
      if (how === 'ended') await current().addresses.remove(address.id, NOW + DAY)
      if (how === 'expired') await current().addresses.removeExpired(TERMS.addressEndsAt, 10)
      const { nameKey } = address
      if (how === 'taken over') await current().addresses.claim(newAddress({ nameKey, expiresAt: NEVER }), after)
      expect(await forwardings().list(address.id)).toEqual([])
      expect(await forwardings().find(gone[0].id)).toBeUndefined()
      expect(await forwardings().confirm(waiting.tokenHash, TERMS, NOW)).toBe(false)
      const { log, mail } = current().forwardingJobs
      expect(await log(address.id, { limit: 9 })).toEqual([])
      expect(await mail({ addressId: address.id, messageId: messages[249]!.id })).toBeUndefined()
      expect((await takeAll(current())).map((job) => job.messageId)).toEqual([kept.id])
      expect(await mail({ addressId: other.id, messageId: kept.id })).toEqual(kept.forwarding.sealedMail)
    })
  })
}

import { describe, expect, test } from 'vitest'
import type { NewAddress } from '#core/mailbox/address.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import { claimed, key, newAddress, NOW } from './fixtures.ts'
import { ask, forwarded, newForwarded, newForwarding, takeAll, TERMS } from './forwarding-fixtures.ts'
import { newKeptAddress, newEmail, subscribed } from './premium-fixtures.ts'

export function forwardingConsentContract(current: () => Store): void {
  const forwardings = () => current().forwardings
  const emails = () => current().emails.waiting()
  const row = (id: string, now = NOW) => current().addresses.find(id, now)
  const states = async (addressId: string) =>
    (await forwardings().list(addressId)).map(({ state, end }) => end ?? state)

  async function kept(): Promise<NewAddress> {
    const { id } = await subscribed(current())
    const address = await claimed(current())
    expect(await current().keptAddresses.add(newKeptAddress(id, address), 9, NOW)).toBe(true)
    return address
  }

  describe('the consent of a destination', () => {
    test('lists and finds a waiting forwarding, and queues the confirmation email', async () => {
      const { id } = await claimed(current())
      const { tokenHash, ...first } = newForwarding(id)
      const { tokenHash: _, ...second } = newForwarding(id, { createdAt: NOW + 1 })
      const email = newEmail()
      const limits = { asksPerDay: 3, destinations: 3, rows: 10 }
      expect(await ask(current(), { ...second, tokenHash: key() }, NOW + 1)).toBe('asked')
      expect(await forwardings().ask({ ...first, tokenHash }, limits, NOW, email)).toBe('asked')
      expect(await forwardings().list(id)).toEqual([first, second])
      expect(await forwardings().find(first.id)).toEqual(first)
      expect(await forwardings().find(key())).toBeUndefined()
      expect(await forwardings().list(key())).toEqual([])
      const { createdAt, sealed } = email
      const taken = await current().emails.take(NOW, NOW + 1, 9)
      expect(taken).toContainEqual({ id: email.id, createdAt, sealed, attempts: 0 })
      expect(await forwardings().findByToken(tokenHash, first.endsAt - 1)).toEqual(first)
      expect(await forwardings().findByToken(tokenHash, first.endsAt)).toBeUndefined()
      expect(await forwardings().findByToken(key(), NOW)).toBeUndefined()
    })

    test('activates a forwarding once, extends its address and keeps its name', async () => {
      const { id, nameKey, ...address } = await claimed(current())
      const requested = newForwarding(id)
      await ask(current(), requested)
      expect((await row(id))?.forwards).toBe(false)
      const { tokenHash, ...rest } = requested
      expect(await forwardings().confirm(key(), TERMS, NOW)).toBe(false)
      expect(await forwardings().confirm(tokenHash, TERMS, NOW + 5)).toBe(true)
      const on = { ...rest, state: 'on', confirmedAt: NOW + 5, endsAt: TERMS.endsAt }
      expect(await forwardings().find(requested.id)).toEqual(on)
      expect(await forwardings().findByToken(tokenHash, NOW)).toBeUndefined()
      const late = { endsAt: NEVER, addressEndsAt: NEVER, addressHeldUntil: NEVER }
      expect(await forwardings().confirm(tokenHash, late, NOW + 5)).toBe(false)
      expect(await forwardings().find(requested.id)).toEqual(on)
      expect(await row(id)).toMatchObject({
        forwards: true,
        expiresAt: TERMS.addressEndsAt,
        lifetime: address.lifetime,
      })
      expect(await current().addresses.findRecipients([nameKey], NOW)).toMatchObject([{ forwards: true }])
      const rival = newAddress({ nameKey, expiresAt: NEVER })
      expect(await current().addresses.claim(rival, TERMS.addressHeldUntil - 1)).toBe(false)
      expect(await current().addresses.claim(rival, TERMS.addressHeldUntil)).toBe(true)
    })

    test('never shortens an address, nor extends one of ten minutes or of a subscription', async () => {
      const far = { endsAt: NOW + 9, addressEndsAt: NOW + 9, addressHeldUntil: NOW + 9 }
      const agreed = async (address: NewAddress, terms = TERMS) => {
        const requested = newForwarding(address.id)
        await ask(current(), requested)
        expect(await forwardings().confirm(requested.tokenHash, terms, NOW)).toBe(true)
        return row(address.id)
      }
      const long = await claimed(current(), { expiresAt: NOW + 9 * DAY })
      expect(await agreed(long, far)).toMatchObject({ expiresAt: long.expiresAt, forwards: true })
      const rival = newAddress({ nameKey: long.nameKey, expiresAt: NEVER })
      expect(await current().addresses.claim(rival, long.heldUntil - 1)).toBe(false)
      const brief = await claimed(current(), { lifetime: 'ten-minutes', expiresAt: NOW + 600_000 })
      expect(await agreed(brief)).toMatchObject({ expiresAt: brief.expiresAt, forwards: true })
      const again = newAddress({ nameKey: brief.nameKey, expiresAt: NEVER })
      expect(await current().addresses.claim(again, brief.heldUntil)).toBe(true)
      expect(await agreed(await kept())).toMatchObject({ expiresAt: NEVER, forwards: true })
    })

    test('accepts a link once, until it expires and while its address is alive', async () => {
      const { id } = await claimed(current(), { expiresAt: NOW + HOUR })
      const [late, dead, good] = [newForwarding(id), newForwarding(id), newForwarding(id)]
      for (const each of [late, dead, good]) expect(await ask(current(), each)).toBe('asked')
      const { confirm } = forwardings()
      expect(await confirm(late.tokenHash, TERMS, late.endsAt)).toBe(false)
      expect(await confirm(dead.tokenHash, TERMS, NOW + HOUR)).toBe(false)
      expect((await row(id))?.forwards).toBe(false)
      const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(good.tokenHash, TERMS, NOW)))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect((await states(id)).toSorted()).toEqual(['on', 'waiting', 'waiting'])
    })

    test('limits the destinations of an address, one forwarding each, without expired ones', async () => {
      const { id } = await claimed(current(), { expiresAt: NEVER })
      const [first, second, third] = [
        newForwarding(id),
        newForwarding(id),
        newForwarding(id, { endsAt: NOW + 3 * DAY }),
      ]
      expect(await ask(current(), first, NOW, { destinations: 1 })).toBe('asked')
      expect(await ask(current(), second, NOW, { destinations: 1 })).toBe('full')
      const same = newForwarding(id, { destinationKey: first.destinationKey })
      expect(await ask(current(), same, NOW, { destinations: 1 })).toBe('there')
      expect(await forwardings().list(id)).toHaveLength(1)
      expect(await emails()).toBe(1)
      expect(await ask(current(), third, first.endsAt, { destinations: 1 })).toBe('asked')
      await forwardings().confirm(third.tokenHash, { ...TERMS, endsAt: NOW + 5 * DAY }, NOW + DAY)
      expect(await ask(current(), second, NOW + 5 * DAY - 1, { destinations: 1 })).toBe('full')
      expect(await ask(current(), { ...second, endsAt: NEVER }, NOW + 5 * DAY, { destinations: 1 })).toBe('asked')
      expect(await ask(current(), newForwarding(key()), NOW)).toBe('silent')
      const other = newForwarding((await claimed(current(), { expiresAt: NOW + HOUR })).id)
      expect(await ask(current(), other, NOW + HOUR)).toBe('silent')
      expect(await forwardings().find(other.id)).toBeUndefined()
    })

    test('ignores the expiry of active forwardings of a subscription, but not that of links', async () => {
      const { id } = await kept()
      const on = await forwarded(current(), id)
      const waiting = newForwarding(id)
      await ask(current(), waiting, NOW, { destinations: 2 })
      const next = newForwarding(id, { endsAt: NEVER })
      expect(await ask(current(), { ...next, destinationKey: on.destinationKey }, TERMS.endsAt)).toBe('there')
      expect(await ask(current(), next, TERMS.endsAt, { destinations: 1 })).toBe('full')
      expect(await ask(current(), next, TERMS.endsAt, { destinations: 2 })).toBe('asked')
    })

    test('keeps one open request per destination and stays silent about others', async () => {
      const destinationKey = key()
      const asking = async (now: number) => {
        const { id } = await claimed(current(), { expiresAt: NEVER })
        const created = newForwarding(id, { destinationKey, endsAt: now + DAY })
        return { created, answer: await ask(current(), created, now) }
      }
      const first = await asking(NOW)
      const silent = await asking(NOW + 1)
      expect([first.answer, silent.answer]).toEqual(['asked', 'silent'])
      expect(await emails()).toBe(1)
      const { tokenHash: _, ...shown } = silent.created
      expect(await forwardings().list(shown.addressId)).toEqual([shown])
      expect(await forwardings().end(first.created.id, 'stopped', NOW + 2)).toBe(true)
      expect(await forwardings().findByToken(first.created.tokenHash, NOW + 2)).toBeUndefined()
      const second = await asking(NOW + 2)
      expect(second.answer).toBe('asked')
      expect((await asking(NOW + 2 + DAY - 1)).answer).toBe('silent')
      expect((await asking(NOW + 2 + DAY)).answer).toBe('asked')
      expect(await emails()).toBe(3)
    })

    test('asks a destination that was asked while the clock was far ahead', async () => {
      const destinationKey = key()
      const asking = async (now: number) => {
        const { id } = await claimed(current(), { expiresAt: NEVER })
        return ask(current(), newForwarding(id, { destinationKey, createdAt: now, endsAt: now + DAY }), now)
      }
      for (const now of [NOW + 90 * DAY, NOW + 92 * DAY, NOW]) expect(await asking(now)).toBe('asked')
      expect(await asking(NOW + 1)).toBe('silent')
    })

    test('asks a destination at most three times in 24 hours, even if the addresses are gone', async () => {
      const destinationKey = key()
      const asking = async (now: number) => {
        const { id } = await claimed(current(), { expiresAt: NEVER })
        const answer = await ask(current(), newForwarding(id, { destinationKey, endsAt: now + DAY }), now)
        await current().addresses.remove(id, NEVER)
        return answer
      }
      const answers = []
      for (const hours of [0, 1, 2, 3, 23]) answers.push(await asking(NOW + hours * HOUR))
      expect(answers).toEqual(['asked', 'asked', 'asked', 'silent', 'silent'])
      expect(await forwardings().forget(NOW, 100)).toBe(0)
      expect([await asking(NOW + DAY), await asking(NOW + DAY)]).toEqual(['asked', 'silent'])
      expect(await emails()).toBe(4)
      expect(await forwardings().forget(NOW + 2 * HOUR, 1)).toBe(1)
      expect(await forwardings().forget(NOW + 2 * HOUR, 100)).toBe(1)
      expect(await forwardings().forget(NOW + 9 * DAY, 100)).toBe(3)
    })

    test('sends one confirmation email and keeps the limits under concurrency', async () => {
      const destinationKey = key()
      const addresses = await Promise.all(Array.from({ length: 10 }, () => claimed(current())))
      const answers = await Promise.all(
        addresses.map(({ id }) => ask(current(), newForwarding(id, { destinationKey }))),
      )
      expect(answers.toSorted()).toEqual(['asked', ...Array<string>(9).fill('silent')])
      const { id } = await claimed(current())
      const own = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          ask(current(), newForwarding(id, { destinationKey: i % 2 === 0 ? destinationKey : key() })),
        ),
      )
      expect(own.filter((each) => each === 'asked' || each === 'silent')).toHaveLength(3)
      expect((await forwardings().list(id)).filter((each) => each.destinationKey === destinationKey).length).toBe(1)
    })

    test('never asks a destination again that refused, and ends all its forwardings', async () => {
      const destinationKey = key()
      const [one, two, three] = [await claimed(current()), await claimed(current()), await claimed(current())]
      const on = await forwarded(current(), one.id, { destinationKey })
      const other = await forwarded(current(), one.id)
      const waiting = newForwarding(two.id, { destinationKey })
      expect(await ask(current(), waiting)).toBe('asked')
      const both = newForwarded([on, other])
      await current().messages.append([both, newForwarded([on])])
      await forwardings().refuse(destinationKey, NOW + 1)
      await forwardings().refuse(destinationKey, NOW + 2)
      expect(await states(one.id)).toEqual(expect.arrayContaining(['declined', 'on']))
      expect(await states(two.id)).toEqual(['declined'])
      expect(await forwardings().confirm(waiting.tokenHash, TERMS, NOW)).toBe(false)
      expect((await takeAll(current())).map((job) => job.forwardingId)).toEqual([other.id])
      expect(await current().forwardingJobs.mail({ addressId: one.id, messageId: both.id })).toEqual(
        both.forwarding.sealedMail,
      )
      await forwardings().forget(NEVER, 100)
      expect(await ask(current(), newForwarding(three.id, { destinationKey, endsAt: NEVER }))).toBe('silent')
      expect(await emails()).toBe(3)
    })
  })
}

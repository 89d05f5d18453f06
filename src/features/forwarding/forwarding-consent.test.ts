import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONSENT_ACTS } from '#core/forwarding/forwarding.ts'
import { HOUR, DAY } from '#core/time.ts'
import {
  actionsOf,
  DAYS,
  type ForwardingFixture,
  LINK_HOURS,
  openForwardingFixture,
} from '#test/support/fixtures/forwarding.ts'
import { lifetimes } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import type { ConsentLink } from './forwarding-consent.ts'

const DAY_FORMAT = { dateStyle: 'long', timeZone: 'UTC' } as const
const LINK_OVER = { link: 'over', live: false, route: null, until: null, days: null }

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: ForwardingFixture
  beforeAll(async () => {
    fixture = await openForwardingFixture({ engine })
  })
  afterAll(() => fixture.close())

  const { newDestination, only } = actionsOf(() => fixture)
  const viewOf = (link: ConsentLink) => fixture.consent.view(link)
  /** Asks a destination for its consent, and returns the link of the confirmation email. */
  async function askConsent(to: string, request = {}, language = 'en') {
    const open = await fixture.open(request)
    await fixture.forwardings.ask(open, to, language)
    return { open, link: await fixture.linkTo(to) }
  }

  describe('the link of a confirmation email', () => {
    test('shows the address, the destination and the duration, without changing anything', async () => {
      const to = newDestination()
      const { open, link } = await askConsent(to)
      const view = {
        link: 'confirm',
        live: true,
        route: { address: open.address, destination: to },
        until: null,
        days: DAYS,
      }
      for (let i = 0; i < 3; i++) expect(await viewOf(link)).toEqual(view)
      expect(await only(open)).toMatchObject({ state: 'waiting' })
    })

    test('shows the expiry of a ten-minute address, and no end for an address of a subscription', async () => {
      const { open, link } = await askConsent(newDestination(), { lifetime: 'ten-minutes' })
      expect(await viewOf(link)).toMatchObject({ until: open.row.expiresAt, days: null })
      const kept = await fixture.kept.create(await fixture.subscribe(), {})
      const to = newDestination()
      await fixture.forwardings.ask(kept.open, to, 'en')
      expect(await viewOf(await fixture.linkTo(to))).toMatchObject({ live: true, until: null, days: null })
    })

    test('works once', async () => {
      const { open, link } = await askConsent(newDestination())
      expect(await fixture.consent.act(link, 'confirm')).toHaveLength(66)
      expect(await only(open)).toMatchObject({ state: 'on' })
      expect(await viewOf(link)).toEqual(LINK_OVER)
      for (const act of CONSENT_ACTS) expect(await fixture.consent.act(link, act)).toBeUndefined()
      expect(await only(open)).toMatchObject({ state: 'on' })
    })

    test('works once for concurrent clicks', async () => {
      const { link } = await askConsent(newDestination())
      const answers = await Promise.all([1, 2, 3].map(() => fixture.consent.act(link, 'confirm')))
      expect(answers.filter((token) => token !== undefined)).toHaveLength(1)
    })

    test('expires after a day', async () => {
      const [{ link: early }, { link: late }] = [await askConsent(newDestination()), await askConsent(newDestination())]
      fixture.time.now += LINK_HOURS * HOUR - 1
      expect(await viewOf(early)).toMatchObject({ live: true })
      expect(await fixture.consent.act(early, 'confirm')).toBeDefined()
      fixture.time.now += 1
      expect(await viewOf(late)).toEqual(LINK_OVER)
      expect(await fixture.consent.act(late, 'confirm')).toBeUndefined()
    })

    test('is over for an unknown or malformed token', async () => {
      await askConsent(newDestination())
      for (const token of ['', 'x', 'A'.repeat(43), 'A'.repeat(100_000)])
        for (const kind of ['confirm', 'stop'] as const) {
          expect(await viewOf({ kind, token })).toEqual(LINK_OVER)
          expect(await fixture.consent.act({ kind, token }, kind)).toBeUndefined()
        }
    })

    test('is not stored in clear', async () => {
      const { open, link } = await askConsent(newDestination())
      const rows = JSON.stringify(await fixture.store.forwardings.list(open.row.id))
      expect(rows).not.toContain(link.token)
      expect(rows).not.toContain('real.example')
    })

    test('declines only this forwarding', async () => {
      const to = newDestination()
      const { open, link } = await askConsent(to)
      const token = (await fixture.consent.act(link, 'decline'))!
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'declined' })
      expect(await viewOf(link)).toEqual(LINK_OVER)
      expect(await viewOf({ kind: 'stop', token })).toMatchObject({
        link: 'stop',
        live: false,
        until: null,
        days: null,
      })
      await fixture.forwardings.ask(await fixture.open(), to, 'en')
      expect(await fixture.mailsTo(to)).toBe(2)
    })

    test('cannot stop a forwarding', async () => {
      const { open, link } = await askConsent(newDestination())
      expect(await fixture.consent.act(link, 'stop')).toBeUndefined()
      expect(await only(open)).toMatchObject({ state: 'waiting' })
    })
  })

  describe('confirming', () => {
    test.each([
      ['en', 'January', '/forwarded?stop='],
      ['de', 'Mayfly', '/de/forwarded?stop='],
    ])('sends an email with the stop link (%s)', async (language, words, path) => {
      fixture.time.now = Math.max(fixture.time.now, Date.UTC(2026, 0, 2))
      const to = newDestination()
      const { open, link } = await askConsent(to, {}, language)
      const token = (await fixture.consent.act(link, 'confirm'))!
      await fixture.sendEmails()
      const mail = await fixture.outbox.next(to, 'forwarding-on')
      expect(mail.link.href).toContain(`${path}${token}`)
      expect(`${mail.subject} ${mail.text}`).toContain(language === 'de' ? words : 'forwards email to you')
      expect(mail.raw.toString()).not.toContain(open.address)
      expect(await viewOf({ kind: 'stop', token })).toEqual({
        link: 'stop',
        live: true,
        route: { address: open.address, destination: to },
        until: fixture.time.now + DAYS * DAY,
        days: null,
      })
    })

    test.each([
      ['a free address', {}, DAYS * DAY],
      ['a ten-minute address', { lifetime: 'ten-minutes' }, 0],
    ])('sends an email with the end date, for %s', async (_what, request, span) => {
      const to = newDestination()
      const { link } = await askConsent(to, request)
      await fixture.consent.act(link, 'confirm')
      await fixture.sendEmails()
      const { text } = await fixture.outbox.next(to, 'forwarding-on')
      expect(text).toContain(new Intl.DateTimeFormat('en', DAY_FORMAT).format(fixture.time.now + span))
    })

    test('extends a free address until the forwarding ends, and then reserves its name', async () => {
      const { open, link } = await askConsent(newDestination())
      await fixture.consent.act(link, 'confirm')
      const end = fixture.time.now + DAYS * DAY
      expect((await fixture.reread(open)).row.expiresAt).toBe(end)
      fixture.time.now = end
      expect(await fixture.store.addresses.find(open.row.id, fixture.time.now)).toBeUndefined()
      fixture.time.now = end + lifetimes.quarantine - 1
      const [login = ''] = open.address.split('@')
      await expect(fixture.addresses.create({ login })).rejects.toMatchObject({ code: 'address_taken' })
    })

    test('fails if the address has expired', async () => {
      const { link } = await askConsent(newDestination(), { lifetime: 'ten-minutes' })
      fixture.time.now += lifetimes.tenMinutes
      expect(await viewOf(link)).toEqual(LINK_OVER)
      expect(await fixture.consent.act(link, 'confirm')).toBeUndefined()
    })
  })

  describe('the link of a forwarded message', () => {
    test('stops only this forwarding, and works repeatedly', async () => {
      const [open, other] = [await fixture.open(), await fixture.open()]
      const to = newDestination()
      const { link } = await fixture.agree(open, to)
      await fixture.agree(other, to)
      const token = await fixture.consent.act(link, 'stop')
      expect(token).toBe(link.token)
      expect(await fixture.consent.act(link, 'stop')).toBe(token)
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'declined' })
      expect(await only(other)).toMatchObject({ state: 'on' })
      expect(await viewOf(link)).toMatchObject({ link: 'stop', live: false, route: { destination: to } })
    })

    test('stops a paused forwarding, and cannot confirm or decline', async () => {
      const open = await fixture.open()
      const { id, link } = await fixture.agree(open, newDestination())
      await fixture.forwardings.setPaused(open, id, true)
      expect(await viewOf(link)).toMatchObject({ live: true })
      for (const act of ['confirm', 'decline'] as const) expect(await fixture.consent.act(link, act)).toBeUndefined()
      expect(await only(open)).toMatchObject({ state: 'paused' })
      await fixture.consent.act(link, 'stop')
      expect(await only(open)).toMatchObject({ end: 'declined' })
    })

    test('stops a forwarding that was started again in the meantime', async () => {
      const open = await fixture.open()
      const to = newDestination()
      const { id, link } = await fixture.agree(open, to)
      await fixture.forwardings.end(open, id)
      await fixture.forwardings.restart(open, id)
      await fixture.consent.act(await fixture.linkTo(to), 'confirm')
      expect(await viewOf(link)).toMatchObject({ live: true, route: { destination: to } })
      await fixture.consent.act(link, 'stop')
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'declined' })
    })

    test('shows no end for an address of a subscription', async () => {
      const { open } = await fixture.kept.create(await fixture.subscribe(), {})
      const { link } = await fixture.agree(open, newDestination())
      expect(await viewOf(link)).toMatchObject({ live: true, until: null, days: null })
    })

    test('shows that the forwarding has already ended', async () => {
      const { open } = await fixture.kept.create(await fixture.subscribe(), {})
      const { id, link } = await fixture.agree(open, newDestination())
      await fixture.forwardings.end(open, id)
      expect(await viewOf(link)).toMatchObject({ link: 'stop', live: false })
    })

    test('can still refuse all forwarding after the address is gone', async () => {
      const open = await fixture.open()
      const to = newDestination()
      const { link } = await fixture.agree(open, to)
      await fixture.addresses.remove(open)
      expect(await viewOf(link)).toEqual({ ...LINK_OVER, link: 'stop' })
      expect(await fixture.consent.act(link, 'never')).toBe(link.token)
      await fixture.forwardings.ask(await fixture.open(), to, 'en')
      expect(await fixture.mailsTo(to)).toBe(1)
    })
  })

  describe('never', () => {
    test('ends all forwarding to the destination, and later requests fail silently', async () => {
      const to = newDestination()
      const [first, second] = [await fixture.open(), await fixture.open()]
      await fixture.agree(first, to)
      const tagged = to.replace('@', '+tag@')
      await fixture.forwardings.ask(second, tagged, 'en')
      const link = await fixture.linkTo(tagged)
      const token = (await fixture.consent.act(link, 'never'))!
      for (const open of [first, second]) expect(await only(open)).toMatchObject({ state: 'ended', end: 'declined' })
      const sent = await fixture.mailsTo(to)
      fixture.time.now += 1000 * DAY
      const open = await fixture.open()
      const view = await fixture.forwardings.ask(open, to.replace('@', '+new@'), 'en')
      expect(view).toMatchObject({ state: 'waiting', endsAt: fixture.time.now + LINK_HOURS * HOUR })
      expect(await fixture.mailsTo(to)).toBe(sent)
      expect(await fixture.mailsTo(to.replace('@', '+new@'))).toBe(0)
      // Refusing again is not an error.
      expect(await fixture.consent.act({ kind: 'stop', token }, 'never')).toBe(token)
      expect((await viewOf({ kind: 'stop', token })).link).toBe('stop')
    })

    test('affects only that destination', async () => {
      const { link } = await askConsent(newDestination())
      await fixture.consent.act(link, 'never')
      const to = newDestination()
      await askConsent(to)
      expect(await fixture.mailsTo(to)).toBe(1)
    })
  })
})

test('a confirmation is valid even if its email cannot be stored', async () => {
  let full = false
  const fixture = await openForwardingFixture({
    wrap: (store) => ({
      ...store,
      emails: {
        ...store.emails,
        add: (emails) => (full ? Promise.reject(new Error('The disk is full')) : store.emails.add(emails)),
      },
    }),
  })
  const open = await fixture.open()
  const to = 'reader@real.example'
  await fixture.forwardings.ask(open, to, 'en')
  const link = await fixture.linkTo(to)
  full = true
  expect(await fixture.consent.act(link, 'confirm')).toBeDefined()
  expect(await fixture.forwardings.stateOf(open)).toBe('on')
  await fixture.close()
})

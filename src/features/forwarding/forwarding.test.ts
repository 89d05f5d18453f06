import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import type { OpenAddress } from '#features/mailbox/claims.ts'
import { codeOf } from '#test/support/codes.ts'
import {
  actionsOf,
  ASKS,
  DAYS,
  type ForwardingFixture,
  HOST,
  LINK_HOURS,
  openForwardingFixture,
  ROWS,
} from '#test/support/fixtures/forwarding.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: ForwardingFixture
  beforeAll(async () => {
    fixture = await openForwardingFixture({ engine })
  })
  afterAll(() => fixture.close())

  const { newDestination, list, only, ask, subscribed } = actionsOf(() => fixture)

  describe('destinations', () => {
    test('one for a free address, for some days', async () => {
      const open = await fixture.open()
      expect(await fixture.forwardings.list(open)).toEqual({ available: 'outbox', max: 1, days: DAYS, forwardings: [] })
      expect(await codeOf(ask(open))).toBe('fine')
      expect(await codeOf(ask(open))).toBe('forwardings_full')
    })

    test('three for an address of a subscription', async () => {
      const { open } = await subscribed()
      expect((await fixture.forwardings.list(open)).max).toBe(3)
      for (let i = 0; i < 3; i++) expect(await codeOf(ask(open))).toBe('fine')
      expect(await codeOf(ask(open))).toBe('forwardings_full')
      expect(await list(open)).toHaveLength(3)
    })

    test('none for a fully private address or the operator mailbox', async () => {
      const operator = (await fixture.addresses.open(fixture.operatorSecret))!
      const free = await fixture.open()
      for (const open of [operator, { ...free, row: { ...free.row, private: true } }]) {
        expect((await fixture.forwardings.list(open)).available).toBe('none')
        expect(await fixture.forwardings.stateOf(open)).toBe('none')
        expect(await codeOf(ask(open))).toBe('forwarding_unavailable')
      }
    })

    test.each(['a', 'a@', 'a@b', '@real.example', 'a@[192.0.2.1]', 'two words@real.example', ''])(
      'rejects %j',
      async (input) => expect(await codeOf(ask(await fixture.open(), input))).toBe('email_invalid'),
    )

    test('rejects addresses of the service and of own domains', async () => {
      const open = await fixture.open()
      const owner = await fixture.subscribe()
      await fixture.own(owner, 'brought.example')
      for (const domain of ['mayfly.test', 'MAYFLY.test', 'vip.mayfly.test', 'mx.mayfly.test', HOST, 'brought.example'])
        expect(await codeOf(ask(open, `ann@${domain}`))).toBe('destination_invalid')
      await fixture.ownDomains.remove(owner, 'brought.example')
      expect(await codeOf(ask(open, 'ann@brought.example'))).toBe('fine')
    })
  })

  describe('asking', () => {
    test('sends an email in the language of the page, without any text of the visitor', async () => {
      const to = newDestination()
      const open = await fixture.open({ login: 'visitor-s.word' })
      const before = fixture.time.now
      const view = await ask(open, ` ${to.replace('real', 'REAL')} `, 'zh')
      expect(view).toEqual({
        id: expect.stringMatching(/^[\w-]{22}$/),
        destination: to,
        state: 'waiting',
        end: null,
        createdAt: before,
        endsAt: before + LINK_HOURS * HOUR,
      })
      expect(await list(open)).toEqual([view])
      await fixture.sendEmails()
      const mail = await fixture.outbox.next(to, 'forwarding-confirm')
      expect(mail.link.href).toMatch(/^https:\/\/mayfly\.example\/forwarded\?confirm=[\w-]{43}$/)
      expect(mail.raw.toString()).not.toContain('visitor-s.word')
      expect(mail.text).not.toContain(open.address)
      expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'content-language', value: 'zh-CN' }))
    })

    test('adds nothing for a secret that was replaced in the meantime', async () => {
      const open = await fixture.open()
      const renewed = await fixture.secrets.replace(open)
      const before = await fixture.store.emails.waiting()
      await ask(open)
      expect([await list(renewed.open), await fixture.store.emails.waiting()]).toEqual([[], before])
      await ask(renewed.open)
      expect(await list(renewed.open)).toHaveLength(1)
    })

    test('rejects a destination that the address already has, in any spelling', async () => {
      const { open } = await subscribed()
      const to = newDestination()
      await ask(open, to)
      for (const again of [to, to.toUpperCase(), to.replace('@', '+tag@')])
        expect(await codeOf(ask(open, again))).toBe('forwarding_exists')
      expect(await list(open)).toHaveLength(1)
    })

    test('sends one link at a time and three emails in 24 hours to a destination, without revealing it', async () => {
      const to = newDestination()
      const askers: OpenAddress[] = []
      const start = fixture.time.now
      const askOnce = async () => {
        const open = await fixture.open()
        askers.push(open)
        const view = await ask(open, to.replace('@', `+${askers.length}@`))
        expect(view).toMatchObject({ state: 'waiting', end: null, endsAt: fixture.time.now + LINK_HOURS * HOUR })
        expect(await only(open)).toEqual(view)
        return view.id
      }
      const total = async () => {
        await fixture.sendEmails()
        const mails = await fixture.outbox.all()
        return mails.filter(({ to: [first] = [] }) => first?.address?.replace(/\+\d+/, '') === to).length
      }
      for (let i = 1; i <= ASKS; i++) {
        const id = await askOnce()
        expect(await total()).toBe(i)
        // While a link is valid, other requests send no email.
        await askOnce()
        expect(await total()).toBe(i)
        await fixture.forwardings.end(askers.at(-2)!, id)
      }
      fixture.time.now = start + DAY - 1
      await askOnce()
      expect(await total()).toBe(ASKS)
      fixture.time.now = start + DAY
      await askOnce()
      expect(await total()).toBe(ASKS + 1)
    })

    test('is counted in the metrics', async () => {
      const to = newDestination()
      await ask(await fixture.open(), to)
      await ask(await fixture.open(), to)
      const { body } = await fixture.metrics.render()
      expect(body).toMatch(/mayfly_forwarding_asks_total\{outcome="asked"\} [1-9]/)
      expect(body).toMatch(/mayfly_forwarding_asks_total\{outcome="silent"\} [1-9]/)
    })
  })

  describe('ending', () => {
    test('a waiting forwarding invalidates its link', async () => {
      const open = await fixture.open()
      const to = newDestination()
      const { id } = await ask(open, to)
      const link = await fixture.linkTo(to)
      await fixture.forwardings.end(open, id)
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'stopped' })
      expect((await fixture.consent.view(link)).link).toBe('over')
      expect(await fixture.consent.act(link, 'confirm')).toBeUndefined()
    })

    test('an ended or expired forwarding removes it from the list', async () => {
      const open = await fixture.open()
      const { id } = await fixture.agree(open, newDestination())
      await fixture.forwardings.end(open, id)
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'stopped' })
      // A repetition after a lost response.
      await fixture.forwardings.end(open, id, false)
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'stopped' })
      await fixture.forwardings.end(open, id)
      expect(await list(open)).toEqual([])
      expect(await codeOf(fixture.forwardings.end(open, id))).toBe('forwarding_not_found')
      const { id: late } = await ask(open)
      fixture.time.now += LINK_HOURS * HOUR
      await fixture.forwardings.end(open, late)
      expect(await list(open)).toEqual([])
    })

    test('is possible only for the owner, like all other changes', async () => {
      const [open, other] = [await fixture.open(), await fixture.open()]
      const { id } = await ask(open)
      for (const what of [id, 'no-such-forwarding-000', '']) {
        expect(await codeOf(fixture.forwardings.end(other, what))).toBe('forwarding_not_found')
        expect(await codeOf(fixture.forwardings.restart(other, what))).toBe('forwarding_not_found')
        expect(await codeOf(fixture.forwardings.setPaused(other, what, true))).toBe('forwarding_not_found')
      }
      expect(await only(open)).toMatchObject({ state: 'waiting' })
    })
  })

  describe('starting again', () => {
    test('asks for consent again and replaces the old forwarding', async () => {
      const open = await fixture.open()
      const to = newDestination()
      const { id } = await fixture.agree(open, to)
      await fixture.forwardings.end(open, id)
      const again = await fixture.forwardings.restart(open, id)
      expect(again).toMatchObject({ destination: to, state: 'waiting' })
      expect(await list(open)).toEqual([again])
      expect(await fixture.mailsTo(to)).toBe(2)
    })

    test('is possible after the forwarding or its link expired', async () => {
      const { ann, open } = await subscribed()
      const to = newDestination()
      const { id } = await ask(open, to)
      await fixture.linkTo(to)
      expect(await codeOf(fixture.forwardings.restart(open, id))).toBe('forwarding_exists')
      fixture.time.now += LINK_HOURS * HOUR
      const again = await fixture.forwardings.restart(open, id)
      expect(again).toMatchObject({ state: 'waiting', destination: to })
      await fixture.consent.act(await fixture.linkTo(to), 'decline')
      const late = await fixture.agree(open, to)
      fixture.time.now += DAYS * DAY
      await fixture.lapse(ann)
      const free = await fixture.reread(open)
      expect(await only(free)).toMatchObject({ id: late.id, end: 'expired' })
      expect(await fixture.forwardings.restart(free, late.id)).toMatchObject({ state: 'waiting', destination: to })
      expect(await list(free)).toHaveLength(1)
    })

    test('needs a free place', async () => {
      const open = await fixture.open()
      const { id } = await ask(open)
      await fixture.forwardings.end(open, id)
      await ask(open)
      expect(await codeOf(fixture.forwardings.restart(open, id))).toBe('forwardings_full')
    })
  })

  test('the list keeps the newest ended forwardings', async () => {
    const open = await fixture.open()
    const asked: string[] = []
    for (let i = 0; i <= ROWS; i++) {
      fixture.time.now += 1
      const { id } = await ask(open)
      asked.push(id)
      if (i < ROWS) await fixture.forwardings.end(open, id)
    }
    expect((await list(open)).map(({ id }) => id)).toEqual(asked.slice(1))
  })

  test('everything is deleted with the address', async () => {
    const open = await fixture.open()
    const to = newDestination()
    await ask(open, to)
    const link = await fixture.linkTo(to)
    await fixture.addresses.remove(open)
    expect(await list(open)).toEqual([])
    expect((await fixture.consent.view(link)).link).toBe('over')
    expect(await codeOf(ask(open))).toBe('fine')
    expect(await list(open)).toEqual([])
  })
})

test('a service that does not forward offers nothing and rejects requests', async () => {
  const fixture = await openForwardingFixture({ env: { MAYFLY_FORWARD_OUTBOX: 'off' } })
  const open = await fixture.open()
  expect(await fixture.forwardings.list(open)).toMatchObject({ available: 'none', forwardings: [] })
  expect(await fixture.forwardings.stateOf(open)).toBe('none')
  expect(await codeOf(fixture.forwardings.ask(open, 'ann@real.example', 'en'))).toBe('forwarding_unavailable')
  expect(await fixture.store.emails.waiting()).toBe(0)
  await fixture.close()
})

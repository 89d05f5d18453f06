import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenAddress } from '#features/mailbox/claims.ts'
import {
  actsIn,
  ASKS,
  DAYS,
  type ForwardingCases,
  HOST,
  LINK_HOURS,
  openForwardingCases,
  ROWS,
} from '#test/support/fixtures/forwarding.ts'
import { codeOf } from '#test/support/fixtures/kept-addresses.ts'
import { DAY, ENGINES, HOUR } from '#test/support/fixtures/use-cases.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let house: ForwardingCases
  beforeAll(async () => {
    house = await openForwardingCases({ engine })
  })
  afterAll(() => house.close())

  const { somebody, list, only, ask, subscribed } = actsIn(() => house)

  describe('what an address may have', () => {
    test('free: one destination for some days', async () => {
      const open = await house.open()
      expect(await house.forwardings.list(open)).toEqual({ available: 'relay', max: 1, days: DAYS, forwardings: [] })
      expect(await codeOf(ask(open))).toBe('fine')
      expect(await codeOf(ask(open))).toBe('forwardings_full')
    })

    test('of a subscription: three', async () => {
      const { open } = await subscribed()
      expect((await house.forwardings.list(open)).max).toBe(3)
      for (let i = 0; i < 3; i++) expect(await codeOf(ask(open))).toBe('fine')
      expect(await codeOf(ask(open))).toBe('forwardings_full')
      expect(await list(open)).toHaveLength(3)
    })

    test('nothing where the mail is read by nobody here, or by the operator', async () => {
      const operator = (await house.addresses.open(house.operatorSecret))!
      const free = await house.open()
      for (const open of [operator, { ...free, row: { ...free.row, private: true } }]) {
        expect((await house.forwardings.list(open)).available).toBe('none')
        expect(await house.forwardings.glance(open)).toBe('none')
        expect(await codeOf(ask(open))).toBe('forwarding_unavailable')
      }
    })

    test.each(['a', 'a@', 'a@b', '@real.example', 'a@[192.0.2.1]', 'two words@real.example', ''])(
      'not %j',
      async (input) => expect(await codeOf(ask(await house.open(), input))).toBe('email_invalid'),
    )

    test('no address of ours, or of a domain that a subscriber brought', async () => {
      const open = await house.open()
      house.owners.set('brought.example', await house.subscribe())
      for (const domain of ['mayfly.test', 'MAYFLY.test', 'vip.mayfly.test', 'mx.mayfly.test', HOST, 'brought.example'])
        expect(await codeOf(ask(open, `ann@${domain}`))).toBe('destination_invalid')
      house.owners.delete('brought.example')
      expect(await codeOf(ask(open, 'ann@brought.example'))).toBe('fine')
    })
  })

  describe('asking', () => {
    test('a mail without a word of the visitor asks the destination, in the language of the page', async () => {
      const to = somebody()
      const open = await house.open({ login: 'visitor-s.word' })
      const before = house.time.now
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
      await house.post()
      const mail = await house.outbox.next(to, 'forwarding-confirm')
      expect(mail.link.href).toMatch(/^https:\/\/mayfly\.example\/forwarded\?confirm=[\w-]{43}$/)
      expect(mail.raw.toString()).not.toContain('visitor-s.word')
      expect(mail.text).not.toContain(open.address)
      expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'content-language', value: 'zh-CN' }))
    })

    test('the same destination once, however it is written', async () => {
      const { open } = await subscribed()
      const to = somebody()
      await ask(open, to)
      for (const again of [to, to.toUpperCase(), to.replace('@', '+tag@')])
        expect(await codeOf(ask(open, again))).toBe('forwarding_exists')
      expect(await list(open)).toHaveLength(1)
    })

    test('one link at a time for a destination, three mails in 24 hours, then silence that nobody can tell', async () => {
      const to = somebody()
      const askers: OpenAddress[] = []
      const start = house.time.now
      const askOnce = async () => {
        const open = await house.open()
        askers.push(open)
        const view = await ask(open, to.replace('@', `+${askers.length}@`))
        expect(view).toMatchObject({ state: 'waiting', end: null, endsAt: house.time.now + LINK_HOURS * HOUR })
        expect(await only(open)).toEqual(view)
        return view.id
      }
      const total = async () => {
        await house.post()
        const mails = await house.outbox.all()
        return mails.filter(({ to: [first] = [] }) => first?.address?.replace(/\+\d+/, '') === to).length
      }
      for (let i = 1; i <= ASKS; i++) {
        const id = await askOnce()
        expect(await total()).toBe(i)
        // Outstanding: nobody else's ask sends another.
        await askOnce()
        expect(await total()).toBe(i)
        await house.forwardings.end(askers.at(-2)!, id)
      }
      house.time.now = start + DAY - 1
      await askOnce()
      expect(await total()).toBe(ASKS)
      house.time.now = start + DAY
      await askOnce()
      expect(await total()).toBe(ASKS + 1)
    })

    test('is counted for the operator, without a name', async () => {
      const to = somebody()
      await ask(await house.open(), to)
      await ask(await house.open(), to)
      const { body } = await house.metrics.render()
      expect(body).toMatch(/mayfly_forwarding_asks_total\{outcome="asked"\} [1-9]/)
      expect(body).toMatch(/mayfly_forwarding_asks_total\{outcome="silent"\} [1-9]/)
    })
  })

  describe('ending', () => {
    test('one that waits kills its link', async () => {
      const open = await house.open()
      const to = somebody()
      const { id } = await ask(open, to)
      const link = await house.linkTo(to)
      await house.forwardings.end(open, id)
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'stopped' })
      expect((await house.consent.look(link)).link).toBe('over')
      expect(await house.consent.act(link, 'confirm')).toBeUndefined()
    })

    test('twice takes it off the list, also where the clock has ended it', async () => {
      const open = await house.open()
      const { id } = await house.agree(open, somebody())
      await house.forwardings.end(open, id)
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'stopped' })
      await house.forwardings.end(open, id)
      expect(await list(open)).toEqual([])
      expect(await codeOf(house.forwardings.end(open, id))).toBe('forwarding_not_found')
      const { id: late } = await ask(open)
      house.time.now += LINK_HOURS * HOUR
      await house.forwardings.end(open, late)
      expect(await list(open)).toEqual([])
    })

    test("is the owner's only, as all else", async () => {
      const [open, other] = [await house.open(), await house.open()]
      const { id } = await ask(open)
      for (const what of [id, 'no-such-forwarding-000', '']) {
        expect(await codeOf(house.forwardings.end(other, what))).toBe('forwarding_not_found')
        expect(await codeOf(house.forwardings.restart(other, what))).toBe('forwarding_not_found')
        expect(await codeOf(house.forwardings.setPaused(other, what, true))).toBe('forwarding_not_found')
      }
      expect(await only(open)).toMatchObject({ state: 'waiting' })
    })
  })

  describe('starting again', () => {
    test('asks anew, in the place of the old one', async () => {
      const open = await house.open()
      const to = somebody()
      const { id } = await house.agree(open, to)
      await house.forwardings.end(open, id)
      const again = await house.forwardings.restart(open, id)
      expect(again).toMatchObject({ destination: to, state: 'waiting' })
      expect(await list(open)).toEqual([again])
      expect(await house.mailsTo(to)).toBe(2)
    })

    test('after the clock ended it', async () => {
      const { ann, open } = await subscribed()
      const to = somebody()
      const { id } = await ask(open, to)
      await house.linkTo(to)
      expect(await codeOf(house.forwardings.restart(open, id))).toBe('forwarding_exists')
      house.time.now += LINK_HOURS * HOUR
      const again = await house.forwardings.restart(open, id)
      expect(again).toMatchObject({ state: 'waiting', destination: to })
      await house.consent.act(await house.linkTo(to), 'decline')
      const late = await house.agree(open, to)
      house.time.now += DAYS * DAY
      await house.lapse(ann)
      const free = await house.reread(open)
      expect(await only(free)).toMatchObject({ id: late.id, end: 'expired' })
      expect(await house.forwardings.restart(free, late.id)).toMatchObject({ state: 'waiting', destination: to })
      expect(await list(free)).toHaveLength(1)
    })

    test('needs room', async () => {
      const open = await house.open()
      const { id } = await ask(open)
      await house.forwardings.end(open, id)
      await ask(open)
      expect(await codeOf(house.forwardings.restart(open, id))).toBe('forwardings_full')
    })
  })

  test('the list keeps the newest of those that ended', async () => {
    const open = await house.open()
    const asked: string[] = []
    for (let i = 0; i <= ROWS; i++) {
      house.time.now += 1
      const { id } = await ask(open)
      asked.push(id)
      if (i < ROWS) await house.forwardings.end(open, id)
    }
    expect((await list(open)).map(({ id }) => id)).toEqual(asked.slice(1))
  })

  test('all of it goes with the address', async () => {
    const open = await house.open()
    const to = somebody()
    await ask(open, to)
    const link = await house.linkTo(to)
    await house.addresses.end(open)
    expect(await list(open)).toEqual([])
    expect((await house.consent.look(link)).link).toBe('over')
    expect(await codeOf(ask(open))).toBe('fine')
    expect(await list(open)).toEqual([])
  })
})

test('a service that does not forward offers and takes nothing', async () => {
  const house = await openForwardingCases({ available: 'none' })
  const open = await house.open()
  expect(await house.forwardings.list(open)).toMatchObject({ available: 'none', forwardings: [] })
  expect(await house.forwardings.glance(open)).toBe('none')
  expect(await codeOf(house.forwardings.ask(open, 'ann@real.example', 'en'))).toBe('forwarding_unavailable')
  expect(await house.store.emails.waiting()).toBe(0)
  await house.close()
})

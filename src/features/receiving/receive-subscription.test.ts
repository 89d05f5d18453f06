import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import { authenticationPending } from '#core/mailbox/message.ts'
import { DAY } from '#core/time.ts'
import { deriveKeys, newSecret } from '#mail/sealing/keys.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { codeOf, type KeptCases, openKeptCases } from '#test/support/fixtures/kept-addresses.ts'
import { ENGINES, SIZE, STORAGE } from '#test/support/fixtures/use-cases.ts'

/** Of all addresses of a subscription together. */
const ALL = 5 * STORAGE

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptCases
  beforeAll(async () => {
    fixture = await openKeptCases({ engine })
  })
  afterAll(() => fixture.close())

  const mail = (bytes: number): string => `Subject: x\r\n\r\n${'x'.repeat(bytes - 14)}`
  const send = (to: string | string[], bytes = 500) => codeOf(fixture.deliver([to].flat(), mail(bytes)))
  const rcpt = (to: string) => codeOf(fixture.receive.accept(to))
  const create = async (subscription: Subscription, request = {}) =>
    (await fixture.kept.create(subscription, request)).open.address
  const inboxOf = async (subscription: Subscription, address: string) => {
    const { id } = (await fixture.kept.list(subscription)).find((each) => each.address === address)!
    const { open } = await fixture.kept.open(subscription, id)
    return { open, messages: (await fixture.messages.list(open, {})).messages }
  }

  describe('the storage of a subscription', () => {
    test.each([
      [ALL - 1000, 999, 'fine'],
      [ALL - 1000, 1000, 'fine'],
      [ALL - 1000, 1001, 'mailbox_full'],
    ])('with %i bytes in one address, %i more for another: %s', async (first, second, code) => {
      const ann = await fixture.subscribe()
      const [one, two] = [await create(ann), await create(ann)]
      expect(await send(one, first)).toBe('fine')
      expect(await send(two, second)).toBe(code)
    })

    test('is full for all of them, and for nobody else, until something is deleted', async () => {
      const ann = await fixture.subscribe()
      const [one, two] = [await create(ann), await create(ann)]
      expect(await send(one, ALL - 1)).toBe('fine')
      expect(await rcpt(two)).toBe('fine')
      expect(await send(two, 100)).toBe('mailbox_full')
      const ben = await fixture.subscribe()
      expect(await send(await create(ben), ALL)).toBe('fine')
      const { open, messages } = await inboxOf(ann, one)
      await fixture.messages.remove(open, messages[0]!.id)
      expect(await send(two, ALL)).toBe('fine')
      expect([await rcpt(one), await rcpt(two)]).toEqual(['mailbox_full', 'mailbox_full'])
      expect(await rcpt((await fixture.addresses.create({})).open.address)).toBe('fine')
    })

    test('is shown whole with each address', async () => {
      const ann = await fixture.subscribe()
      const [one, two] = [await create(ann), await create(ann)]
      await send(one, 300)
      await send(two, 700)
      const { open } = await inboxOf(ann, two)
      const storage = { usedBytes: 1000, limitBytes: ALL }
      expect((await fixture.addresses.view(open)).storage).toEqual(storage)
      expect((await fixture.addresses.extend(open)).storage).toEqual(storage)
      expect((await fixture.messages.changes(open, 0)).address).toMatchObject({ storage, expiresAt: NEVER })
    })

    test('of many mails to all of them at one moment is overrun by no more than what came in it', async () => {
      const ann = await fixture.subscribe()
      const addresses = [await create(ann), await create(ann), await create(ann)]
      const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => send(addresses[i % 3]!, ALL / 5)))
      const taken = answers.filter((each) => each === 'fine').length
      expect(taken).toBeGreaterThanOrEqual(5)
      // Each by itself holds no more than all may.
      for (const address of addresses) expect((await inboxOf(ann, address)).open.row.usedBytes).toBeLessThanOrEqual(ALL)
      for (const address of addresses) expect(await send(address, ALL / 5)).toBe('mailbox_full')
    })

    test('is that of a free address again after a lapse, each its own', async () => {
      const ann = await fixture.subscribe()
      const [one, two] = [await create(ann), await create(ann)]
      await send(one, STORAGE + 1)
      const then = await fixture.lapse(ann)
      expect([await rcpt(one), await send(two, STORAGE)]).toEqual(['mailbox_full', 'fine'])
      const { open } = await inboxOf(then, two)
      expect((await fixture.addresses.view(open)).storage).toEqual({ usedBytes: STORAGE, limitBytes: STORAGE })
    })
  })

  test('mail is kept for 30 days, and for one after a lapse', async () => {
    const ann = await fixture.subscribe()
    const address = await create(ann)
    await send(address)
    fixture.time.now += 30 * DAY - 1
    expect((await inboxOf(ann, address)).messages).toHaveLength(1)
    fixture.time.now += 1
    expect((await inboxOf(ann, address)).messages).toEqual([])
    const then = await fixture.lapse(ann)
    await send(address)
    fixture.time.now += DAY - 1
    expect((await inboxOf(then, address)).messages).toHaveLength(1)
    fixture.time.now += 1
    expect((await inboxOf(then, address)).messages).toEqual([])
  })

  test('each recipient says how large a mail it takes', async () => {
    const maxOf = async (address: string) => (await fixture.receive.accept(address)).maxBytes
    const ann = await fixture.subscribe()
    const kept = await create(ann)
    expect(await maxOf(kept)).toBe(2 * SIZE)
    await fixture.lapse(ann)
    expect(await maxOf(kept)).toBe(SIZE)
    expect(await maxOf((await fixture.addresses.create({})).open.address)).toBe(SIZE)
    expect(await maxOf((await fixture.addresses.create({ lifetime: 'ten-minutes' })).open.address)).toBe(SIZE)
    expect(await maxOf('postmaster@mayfly.test')).toBe(SIZE)
  })

  describe('a domain that a subscriber brought', () => {
    const own = async (name: string) => {
      const ann = await fixture.subscribe()
      fixture.owners.set(name, ann)
      return { ann, named: await create(ann, { login: 'me', domain: name }) }
    }

    test('takes mail for the logins that are there', async () => {
      await own('one.example')
      expect(await rcpt('me@one.example')).toBe('fine')
      expect(await rcpt('ME+x@One.Example.')).toBe('fine')
      expect(await rcpt('other@one.example')).toBe('recipient_unknown')
      expect(await rcpt('+x@one.example')).toBe('recipient_unknown')
      expect(await rcpt('me@sub.one.example')).toBe('relay_denied')
    })

    test('in another script is known by its ASCII form', async () => {
      await own('xn--bcher-kva.example')
      expect(await rcpt('me@Bücher.example')).toBe('fine')
    })

    test('takes all other mail, too, where its owner says where to', async () => {
      const { ann, named } = await own('all.example')
      const { id } = (await fixture.kept.list(ann))[0]!
      fixture.catchAlls.set('all.example', id)
      expect(await send('any.body@all.example')).toBe('fine')
      expect((await inboxOf(ann, named)).messages).toMatchObject([{ to: 'any.body@all.example' }])
      expect(await rcpt('+x@all.example')).toBe('recipient_unknown')
      await fixture.kept.remove(ann, id)
      expect(await rcpt('any.body@all.example')).toBe('recipient_unknown')
    })

    test('never brings mail to the address of somebody else', async () => {
      await own('stray.example')
      const ben = await fixture.subscribe()
      await create(ben)
      const free = await fixture.addresses.create({})
      for (const id of [(await fixture.kept.list(ben))[0]!.id, free.open.row.id]) {
        fixture.catchAlls.set('stray.example', id)
        expect(await rcpt('any.body@stray.example')).toBe('recipient_unknown')
      }
    })

    test('has a postmaster: the operator', async () => {
      await own('post.example')
      const operator = await fixture.addresses.open(fixture.operatorSecret)
      for (const to of ['Postmaster@post.example', 'abuse+x@post.example'])
        expect((await fixture.receive.accept(to)).row?.id).toBe(operator!.row.id)
    })

    test('of nobody is relaying', async () => {
      for (const to of ['me@nobody.example', 'postmaster@nobody.example', 'me@', '@', 'me@[192.0.2.1]'])
        expect([to, await rcpt(to)]).toEqual([to, 'relay_denied'])
    })
  })

  test('of mail to a fully private address nothing is read: only whether it is authentic is kept', async () => {
    const keys = deriveKeys(newSecret())!
    const name = { address: 'private.one@mayfly.test', nameKey: '' }
    for (const each of fixture.names.forVisitor({ login: 'private.one' })) Object.assign(name, each)
    const row = { id: keys.id, nameKey: name.nameKey, publicKey: keys.publicKey, sealedName: new Uint8Array(9) }
    const now = fixture.time.now
    const claim = { ...row, lifetime: 'subscription' as const, createdAt: now, expiresAt: NEVER, heldUntil: NEVER }
    await fixture.store.addresses.claim({ ...claim, private: true }, now)
    const heard = { times: 0 }
    const stop = fixture.bus.subscribe(keys.id, () => heard.times++)
    await fixture.deliver([name.address], 'Subject: Your code is 123456\r\n\r\nCode: 123456\r\n')
    await fixture.summaries.settled()
    const [message] = await fixture.store.messages.list(keys.id, { now, limit: 2 })
    const summary = JSON.parse(
      Buffer.from(fixture.opener.open(keys, messagePlace('summary', message!), message!.sealedSummary!)).toString(),
    )
    expect(Object.keys(summary)).toEqual(['authentication'])
    expect(summary.authentication.spf).not.toBe(authenticationPending.spf)
    // At once for the mail, and again for its authentication.
    await expect.poll(() => heard.times).toBe(2)
    stop()
  })
})

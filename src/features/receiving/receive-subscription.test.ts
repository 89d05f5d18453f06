import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import { authenticationPending } from '#core/mailbox/message.ts'
import { newSecret } from '#core/mailbox/secret.ts'
import { DAY } from '#core/time.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { codeOf } from '#test/support/codes.ts'
import { type KeptFixture, openKeptFixture } from '#test/support/fixtures/kept-addresses.ts'
import { SIZE, STORAGE } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

/** The storage limit of a subscription, in bytes. */
const LIMIT = 5 * STORAGE

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptFixture
  beforeAll(async () => {
    fixture = await openKeptFixture({ engine })
  })
  afterAll(() => fixture.close())

  const messageOf = (bytes: number): string => `Subject: x\r\n\r\n${'x'.repeat(bytes - 14)}`
  const send = (to: string | string[], bytes = 500) => codeOf(fixture.deliver([to].flat(), messageOf(bytes)))
  const rcpt = (to: string) => codeOf(fixture.receive.accept(to))
  const create = async (subscription: Subscription, request = {}) =>
    (await fixture.kept.create(subscription, request)).open.address
  const inboxOf = async (subscription: Subscription, address: string) => {
    const { id } = (await fixture.kept.listAndRestore(subscription)).find((each) => each.address === address)!
    const { open } = await fixture.kept.open(subscription, id)
    return { open, messages: (await fixture.messages.list(open, {})).messages }
  }

  describe('the storage of a subscription', () => {
    test.each([
      [LIMIT - 1000, 999, 'fine'],
      [LIMIT - 1000, 1000, 'fine'],
      [LIMIT - 1000, 1001, 'mailbox_full'],
    ])('with %i bytes in one address, replies to %i bytes for another: %s', async (first, second, code) => {
      const ann = await fixture.subscribe()
      const [one, two] = [await create(ann), await create(ann)]
      expect(await send(one, first)).toBe('fine')
      expect(await send(two, second)).toBe(code)
    })

    test('is full for all its addresses, and for no others, until a message is deleted', async () => {
      const ann = await fixture.subscribe()
      const [one, two] = [await create(ann), await create(ann)]
      expect(await send(one, LIMIT - 1)).toBe('fine')
      expect(await rcpt(two)).toBe('fine')
      expect(await send(two, 100)).toBe('mailbox_full')
      const ben = await fixture.subscribe()
      expect(await send(await create(ben), LIMIT)).toBe('fine')
      const { open, messages } = await inboxOf(ann, one)
      await fixture.messages.remove(open, messages[0]!.id)
      expect(await send(two, LIMIT)).toBe('fine')
      expect([await rcpt(one), await rcpt(two)]).toEqual(['mailbox_full', 'mailbox_full'])
      expect(await rcpt((await fixture.addresses.create({})).open.address)).toBe('fine')
    })

    test('is shown as a whole with each address', async () => {
      const ann = await fixture.subscribe()
      const [one, two] = [await create(ann), await create(ann)]
      await send(one, 300)
      await send(two, 700)
      const { open } = await inboxOf(ann, two)
      const storage = { usedBytes: 1000, limitBytes: LIMIT }
      expect((await fixture.addresses.view(open)).storage).toEqual(storage)
      expect((await fixture.addresses.extend(open)).storage).toEqual(storage)
      expect((await fixture.messages.changes(open, 0)).address).toMatchObject({ storage, expiresAt: NEVER })
    })

    test('can be exceeded only by concurrent messages to several addresses', async () => {
      const ann = await fixture.subscribe()
      const addresses = [await create(ann), await create(ann), await create(ann)]
      const codes = await Promise.all(Array.from({ length: 30 }, (_, i) => send(addresses[i % 3]!, LIMIT / 5)))
      const acceptedCount = codes.filter((each) => each === 'fine').length
      expect(acceptedCount).toBeGreaterThanOrEqual(5)
      // A single address never exceeds the limit.
      for (const address of addresses)
        expect((await inboxOf(ann, address)).open.row.usedBytes).toBeLessThanOrEqual(LIMIT)
      for (const address of addresses) expect(await send(address, LIMIT / 5)).toBe('mailbox_full')
    })

    test('is a limit for each free address after a lapse', async () => {
      const ann = await fixture.subscribe()
      const [one, two] = [await create(ann), await create(ann)]
      await send(one, STORAGE + 1)
      const lapsed = await fixture.lapse(ann)
      expect([await rcpt(one), await send(two, STORAGE)]).toEqual(['mailbox_full', 'fine'])
      const { open } = await inboxOf(lapsed, two)
      expect((await fixture.addresses.view(open)).storage).toEqual({ usedBytes: STORAGE, limitBytes: STORAGE })
    })
  })

  test('keeps messages for 30 days, and for one day after a lapse', async () => {
    const ann = await fixture.subscribe()
    const address = await create(ann)
    await send(address)
    fixture.time.now += 30 * DAY - 1
    expect((await inboxOf(ann, address)).messages).toHaveLength(1)
    fixture.time.now += 1
    expect((await inboxOf(ann, address)).messages).toEqual([])
    const lapsed = await fixture.lapse(ann)
    await send(address)
    fixture.time.now += DAY - 1
    expect((await inboxOf(lapsed, address)).messages).toHaveLength(1)
    fixture.time.now += 1
    expect((await inboxOf(lapsed, address)).messages).toEqual([])
  })

  test('reports the maximum message size of each recipient', async () => {
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

  describe('an own domain', () => {
    const own = async (name: string) => {
      const ann = await fixture.subscribe()
      await fixture.own(ann, name)
      return { ann, named: await create(ann, { login: 'me', domain: name }) }
    }

    test('accepts messages to existing logins', async () => {
      await own('one.example')
      expect(await rcpt('me@one.example')).toBe('fine')
      expect(await rcpt('ME+x@One.Example.')).toBe('fine')
      expect(await rcpt('other@one.example')).toBe('recipient_unknown')
      expect(await rcpt('+x@one.example')).toBe('recipient_unknown')
      expect(await rcpt('me@sub.one.example')).toBe('relay_denied')
    })

    test('is found by its ASCII form', async () => {
      await own('xn--bcher-kva.example')
      expect(await rcpt('me@Bücher.example')).toBe('fine')
    })

    test('accepts messages to any login if its owner set a catch-all address', async () => {
      const { ann, named } = await own('all.example')
      const { id } = (await fixture.kept.listAndRestore(ann))[0]!
      await fixture.setCatchAll('all.example', id)
      expect(await send('any.body@all.example')).toBe('fine')
      expect((await inboxOf(ann, named)).messages).toMatchObject([{ to: 'any.body@all.example' }])
      expect(await rcpt('+x@all.example')).toBe('recipient_unknown')
      await fixture.kept.remove(ann, id)
      expect(await rcpt('any.body@all.example')).toBe('recipient_unknown')
    })

    test('ignores a catch-all address of another subscriber', async () => {
      await own('stray.example')
      const ben = await fixture.subscribe()
      await create(ben)
      const free = await fixture.addresses.create({})
      for (const id of [(await fixture.kept.listAndRestore(ben))[0]!.id, free.open.row.id]) {
        await fixture.setCatchAll('stray.example', id)
        expect(await rcpt('any.body@stray.example')).toBe('recipient_unknown')
      }
    })

    test('delivers postmaster@ and abuse@ to the operator', async () => {
      await own('post.example')
      const operator = await fixture.addresses.open(fixture.operatorSecret)
      for (const to of ['Postmaster@post.example', 'abuse+x@post.example'])
        expect((await fixture.receive.accept(to)).row?.id).toBe(operator!.row.id)
    })

    test('that no subscriber has is rejected as relaying', async () => {
      for (const to of ['me@nobody.example', 'postmaster@nobody.example', 'me@', '@', 'me@[192.0.2.1]'])
        expect([to, await rcpt(to)]).toEqual([to, 'relay_denied'])
    })
  })

  test('stores only the authentication of a message to a fully private address', async () => {
    const keys = deriveKeys(newSecret())!
    const name = { address: 'private.one@mayfly.test', nameKey: '' }
    for (const each of fixture.names.forVisitor({ login: 'private.one' })) Object.assign(name, each)
    const row = { id: keys.id, nameKey: name.nameKey, publicKey: keys.publicKey, sealedName: new Uint8Array(9) }
    const now = fixture.time.now
    const claim = { ...row, lifetime: 'subscription' as const, createdAt: now, expiresAt: NEVER, heldUntil: NEVER }
    await fixture.store.addresses.claim({ ...claim, private: true }, now)
    const changes = { count: 0 }
    const stop = fixture.bus.subscribe(keys.id, () => changes.count++)
    await fixture.deliver([name.address], 'Subject: Your code is 123456\r\n\r\nCode: 123456\r\n')
    await fixture.summaries.settled()
    const [message] = await fixture.store.messages.list(keys.id, { now, limit: 2 })
    const summary = JSON.parse(
      Buffer.from(fixture.opener.open(keys, messagePlace('summary', message!), message!.sealedSummary!)).toString(),
    )
    expect(Object.keys(summary)).toEqual(['origin', 'authentication'])
    expect(summary.authentication.spf).not.toBe(authenticationPending.spf)
    // Once for the message, and once for its authentication.
    await expect.poll(() => changes.count).toBe(2)
    stop()
  })
})

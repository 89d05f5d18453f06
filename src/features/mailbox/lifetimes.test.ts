import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE, HOUR, DAY } from '#core/time.ts'
import { codeOf } from '#test/support/codes.ts'
import { openMailboxFixture, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: MailboxFixture
  beforeEach(async () => {
    fixture = await openMailboxFixture({ engine })
  })
  afterEach(() => fixture.close())

  const pass = (milliseconds: number): void => void (fixture.time.now += milliseconds)
  const create = (request = {}) => fixture.addresses.create(request)
  const alive = async (secret: string): Promise<boolean> => (await fixture.addresses.open(secret)) !== undefined
  describe('the lifetime of a day', () => {
    test('expires 24 hours after the last visit', async () => {
      const { secret } = await create()
      for (let visit = 0; visit < 5; visit++) {
        pass(DAY - 1)
        expect(await alive(secret)).toBe(true)
      }
      pass(DAY)
      expect(await alive(secret)).toBe(false)
    })

    test('does not store a second visit within a minute', async () => {
      const { secret, open } = await create()
      pass(MINUTE - 1)
      expect((await fixture.addresses.open(secret))?.row.expiresAt).toBe(open.row.expiresAt)
      pass(1)
      expect((await fixture.addresses.open(secret))?.row.expiresAt).toBe(fixture.time.now + DAY)
    })

    test('is not extended by a program that only looks', async () => {
      const { secret, open } = await create()
      pass(HOUR)
      expect((await fixture.addresses.open(secret, false))?.row.expiresAt).toBe(open.row.expiresAt)
      expect((await fixture.addresses.open(secret))?.row.expiresAt).toBe(fixture.time.now + DAY)
    })
  })

  describe('the lifetime of ten minutes', () => {
    test('is not extended by visits', async () => {
      const { secret } = await create({ lifetime: 'ten-minutes' })
      pass(10 * MINUTE - 1)
      expect(await alive(secret)).toBe(true)
      pass(1)
      expect(await alive(secret)).toBe(false)
    })

    test('starts again when the owner extends it', async () => {
      const { secret } = await create({ lifetime: 'ten-minutes' })
      pass(4 * MINUTE)
      const open = await fixture.addresses.open(secret)
      expect((await fixture.addresses.extend(open!)).expiresAt).toBe(fixture.time.now + 10 * MINUTE)
      pass(10 * MINUTE)
      expect(await codeOf(fixture.addresses.extend(open!))).toBe('unauthorized')
    })
  })

  describe('the name of an address that is gone', () => {
    const endings: [string, (secret: string) => Promise<void>][] = [
      ['after deletion', async (secret) => fixture.addresses.remove((await fixture.addresses.open(secret))!)],
      ['after expiry', async () => pass(DAY)],
      [
        'after expiry and a sweep',
        async () => {
          pass(DAY)
          await fixture.sweep.run()
        },
      ],
    ]
    test.each(endings)('%s stays reserved for its holder for 30 days', async (_how, end) => {
      const first = await create({ login: 'held.name' })
      const stranger = await create()
      await end(first.secret)
      const taken = () => codeOf(create({ login: 'held.name', previousSecret: stranger.secret }))
      expect(await taken()).toBe('address_taken')
      pass(30 * DAY - 1)
      expect(await taken()).toBe('address_taken')
      const again = await create({ login: 'held.name', previousSecret: first.secret })
      expect(again.open.address).toBe('held.name@mayfly.test')
      expect(again.secret).not.toBe(first.secret)
    })

    test('can be claimed by anyone after 30 days', async () => {
      const { open } = await create({ login: 'held.name' })
      await fixture.addresses.remove(open)
      pass(30 * DAY)
      expect((await create({ login: 'held.name' })).open.address).toBe('held.name@mayfly.test')
    })

    test('brings none of the old messages with it', async () => {
      const first = await create({ login: 'held.name' })
      await fixture.deliver(['held.name@mayfly.test'])
      pass(DAY)
      const again = await create({ login: 'held.name', previousSecret: first.secret })
      expect((await fixture.messages.list(again.open, {})).messages).toEqual([])
      expect(again.open.row.usedBytes).toBe(0)
    })
  })

  describe('messages', () => {
    test('expire after 24 hours with or without a sweep, and the sweep frees their storage', async () => {
      const { secret } = await create({ login: 'keeper' })
      await fixture.deliver(['keeper@mayfly.test'])
      pass(23 * HOUR)
      await fixture.deliver(['keeper@mayfly.test'])
      const open = async () => (await fixture.addresses.open(secret))!
      expect((await fixture.messages.list(await open(), {})).messages).toHaveLength(2)
      pass(HOUR)
      expect((await fixture.messages.list(await open(), {})).messages).toHaveLength(1)
      const before = (await open()).row.usedBytes
      await fixture.sweep.run()
      expect((await open()).row.usedBytes).toBe(before / 2)
    })

    test('are swept in many steps, which keep live addresses', async () => {
      const ended = await Promise.all(Array.from({ length: 30 }, () => create({ lifetime: 'ten-minutes' })))
      for (const { open } of ended) await fixture.deliver([open.address])
      const live = await create({ login: 'live' })
      pass(HOUR)
      await fixture.sweep.run()
      expect(await fixture.store.stats(fixture.time.now)).toMatchObject({ addresses: 2, messages: 0 })
      expect(await alive(live.secret)).toBe(true)
      pass(31 * DAY)
      await fixture.sweep.run()
      expect(await fixture.store.stats(fixture.time.now)).toMatchObject({ names: expect.any(Number), addresses: 1 })
    })

    test('are followed by a notification of watchers when the address expires', async () => {
      const { open } = await create({ lifetime: 'ten-minutes' })
      const notified = new Promise<void>((resolve) => fixture.messages.watch(open, resolve))
      pass(HOUR)
      await fixture.sweep.run()
      await notified
      expect((await fixture.messages.changes(open, 0)).address).toBeUndefined()
    })
  })
})

import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '#core/mailbox/secret.ts'
import { DAY } from '#core/time.ts'
import { createAccountExport } from '#features/account/account-export.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { codeOf } from '#test/support/codes.ts'
import { KEEP_KEYS, type KeptFixture, openKeptFixture, PLACES } from '#test/support/fixtures/kept-addresses.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import type { OpenedAddress } from './claims.ts'
import { EARLIER_KEYS_MAX } from './secrets.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: KeptFixture
  beforeAll(async () => {
    fixture = await openKeptFixture({ engine })
  })
  afterAll(() => fixture.close())

  const free = () => fixture.addresses.create({})
  const isOpen = async (secret: string) => (await fixture.addresses.open(secret)) !== undefined
  /** Returns the subjects of all messages, after opening each message and its summary. */
  async function subjects(secret: string): Promise<string[]> {
    const open = (await fixture.addresses.open(secret))!
    const { messages } = await fixture.messages.list(open, {})
    for (const { id, subject } of messages)
      expect(Buffer.from(await fixture.messages.raw(open, id)).toString()).toContain(subject)
    return messages.map(({ subject }) => subject)
  }
  const deliver = (address: string, subject: string) =>
    fixture.deliver([address], `Subject: ${subject}\r\n\r\nhello ${subject}\r\n`)

  describe('a new secret', () => {
    test('opens all messages, including those sealed to earlier keys, while the old secret opens nothing', async () => {
      const { secret, open } = await free()
      await deliver(open.address, 'first')
      const second = await fixture.secrets.replace(open)
      await deliver(open.address, 'second')
      const third = await fixture.secrets.replace((await fixture.addresses.open(second.secret))!)
      await deliver(open.address, 'third')
      expect(await subjects(third.secret)).toEqual(['third', 'second', 'first'])
      expect([await isOpen(secret), await isOpen(second.secret)]).toEqual([false, false])
      // The value that `replace` returned opens all messages, too.
      expect((await fixture.messages.list(third.open, {})).messages).toHaveLength(3)
      expect(await codeOf(fixture.secrets.replace(open))).toBe('unauthorized')
    })

    test('is given to one of several concurrent requests, and opens all messages that arrive in the meantime', async () => {
      const { open } = await free()
      const deliveries = Array.from({ length: 20 }, (_, i) => deliver(open.address, `mail ${i}`))
      const answers = await Promise.allSettled(Array.from({ length: 8 }, () => fixture.secrets.replace(open)))
      await Promise.all(deliveries)
      const made = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      expect(made).toHaveLength(1)
      const reopened = (await fixture.addresses.open(made[0]!.secret))!
      const received = []
      for (let before: string | undefined; ;) {
        const page = await fixture.messages.list(reopened, { before })
        received.push(...page.messages)
        if (page.next === null) break
        before = page.next
      }
      expect(received.map(({ subject }) => subject).toSorted()).toEqual(
        Array.from({ length: 20 }, (_, i) => `mail ${i}`).toSorted(),
      )
    })

    test('can be chosen by the holder, but must be well-formed and not that of another address', async () => {
      const [mine, other] = [await free(), await free()]
      const own = newSecret()
      expect(await codeOf(fixture.secrets.replace(mine.open, other.secret))).toBe('unauthorized')
      expect(await codeOf(fixture.secrets.replace(mine.open, 'short'))).toBe('invalid_request')
      expect((await fixture.secrets.replace(mine.open, own)).secret).toBe(own)
      expect((await fixture.addresses.open(own))?.address).toBe(mine.open.address)
      expect((await fixture.addresses.open(other.secret))?.address).toBe(other.open.address)
    })

    test('keeps a limited number of earlier keys, for as long as there may be messages for them', async () => {
      let current: OpenedAddress = await free()
      for (let i = 0; i < EARLIER_KEYS_MAX; i++) current = await fixture.secrets.replace(current.open)
      expect(await codeOf(fixture.secrets.replace(current.open))).toBe('too_many_requests')
      expect(await isOpen(current.secret)).toBe(true)
      const { subscriptionId: _, ...row } = current.open.row
      fixture.time.now += KEEP_KEYS
      const afterKeepKeys = { ...current.open, row: { ...row, subscriptionId: null } }
      const { open } = fixture.secrets.replacement(afterKeepKeys)
      expect(open.row.sealedEarlierKeys!.length).toBeLessThan(current.open.row.sealedEarlierKeys!.length / 4)
    })

    test('can claim the name of its deleted address, which earlier secrets cannot', async () => {
      const { secret, open } = await free()
      const [login] = open.address.split('@')
      const renewed = await fixture.secrets.replace(open)
      await fixture.addresses.remove(renewed.open)
      const again = (previousSecret: string) => fixture.addresses.create({ login, previousSecret })
      expect(await codeOf(again(secret))).toBe('address_taken')
      expect((await again(renewed.secret)).open.address).toBe(open.address)
    })

    test('keeps the name of its deleted address for its holder, whatever the holder of the first one creates', async () => {
      const { secret, open } = await free()
      const [login] = open.address.split('@')
      const renewed = await fixture.secrets.replace(open)
      await fixture.addresses.remove(renewed.open)
      const { addresses, secrets } = fixture
      expect(await codeOf(addresses.create({ secret }))).toBe('address_taken')
      expect(await codeOf(addresses.create({ secret, login, previousSecret: secret }))).toBe('address_taken')
      expect(await codeOf(secrets.replace((await free()).open, secret))).toBe('unauthorized')
      const again = await addresses.create({ login, previousSecret: renewed.secret })
      expect(again.open.address).toBe(open.address)
    })

    test('is never given to the operator mailbox', async () => {
      const { open } = await free()
      const mailbox = { ...open, row: { ...open.row, lifetime: 'operator' as const } }
      expect(await codeOf(fixture.secrets.replace(mailbox))).toBe('unauthorized')
    })
  })

  describe('the secret of a kept address', () => {
    test('is replaced for the subscriber as well, and the export has all messages', async () => {
      const ann = await fixture.subscribe()
      const { open } = await fixture.kept.create(ann, {})
      await deliver(open.address, 'before')
      const renewed = await fixture.secrets.replace(open)
      await deliver(open.address, 'after')
      expect((await fixture.kept.open(ann, open.row.id)).secret).toBe(renewed.secret)
      expect(await subjects(renewed.secret)).toEqual(['after', 'before'])
      const { store, wrap, time } = fixture
      const exported = createAccountExport({ store, wrap, opener: fixture.opener, clock: () => time.now, pageSize: 10 })
      const files = unzipSync(await buffer(exported({ sessionId: '', subscription: ann, active: true })))
      const emlFiles = Object.entries(files).filter(([name]) => name.endsWith('.eml'))
      expect(
        emlFiles.map(([, content]) => /Subject: (\w+)/.exec(Buffer.from(content).toString())?.[1]).toSorted(),
      ).toEqual(['after', 'before'])
    })

    test('opens the address again when the subscription is renewed after the address expired', async () => {
      const ann = await fixture.subscribe()
      const { open } = await fixture.kept.create(ann, {})
      const renewed = await fixture.secrets.replace(open)
      const lapsed = await fixture.lapse(ann)
      fixture.time.now += 2 * DAY
      await fixture.sweep.run()
      expect(await fixture.kept.listAndRestore(lapsed)).toMatchObject([{ alive: false }])
      const back = await fixture.comeBack(lapsed)
      expect(await fixture.kept.listAndRestore(back)).toMatchObject([{ id: open.row.id, alive: true }])
      expect((await fixture.addresses.open(renewed.secret))?.row).toMatchObject({
        id: open.row.id,
        subscriptionId: ann.id,
      })
      await deliver(open.address, 'again')
      expect(await subjects(renewed.secret)).toEqual(['again'])
    })

    test('is restored, although the holder of an earlier one created addresses while the subscription had lapsed', async () => {
      const ann = await fixture.subscribe()
      const { secret, open } = await free()
      const [login] = open.address.split('@')
      const adopted = await fixture.kept.adopt(ann, { secret, open })
      const never = await fixture.kept.create(ann, {})
      const lapsed = await fixture.lapse(ann)
      fixture.time.now += 40 * DAY
      await fixture.sweep.run()
      const { addresses, kept } = fixture
      for (const each of [secret, never.secret])
        expect(await codeOf(addresses.create({ secret: each }))).toBe('address_taken')
      expect(await codeOf(addresses.create({ secret, login }))).toBe('address_taken')
      expect(await codeOf(kept.create(await fixture.subscribe(), { secret }))).toBe('address_taken')
      const keys = { id: open.row.id, publicKey: open.keys.publicKey }
      expect(await codeOf(kept.createPrivate(await fixture.subscribe(), keys, {}))).toBe('address_taken')
      const back = await fixture.comeBack(lapsed)
      // The address on the list is not fully private, and does not become so.
      expect(await codeOf(kept.createPrivate(back, keys, { login }))).toBe('address_taken')
      expect((await kept.listAndRestore(back)).map(({ alive }) => alive)).toEqual([true, true])
      expect((await kept.open(back, open.row.id)).secret).toBe(adopted.secret)
      expect(await isOpen(secret)).toBe(false)
    })

    test('is replaced when a subscriber adopts the address, and unchanged if there is no room', async () => {
      const ann = await fixture.subscribe()
      const { secret, open } = await free()
      await deliver(open.address, 'before')
      for (let i = 1; i < PLACES; i++) await fixture.kept.create(ann, {})
      const adopted = await fixture.kept.adopt(ann, { secret, open })
      expect([await isOpen(secret), adopted.secret === secret]).toEqual([false, false])
      expect((await fixture.kept.open(ann, open.row.id)).secret).toBe(adopted.secret)
      expect(await subjects(adopted.secret)).toEqual(['before'])
      // The address is already kept, so its recovery links stay valid.
      expect((await fixture.kept.adopt(ann, adopted)).secret).toBe(adopted.secret)
      const another = await free()
      expect(await codeOf(fixture.kept.adopt(ann, another))).toBe('addresses_full')
      expect((await fixture.addresses.open(another.secret))?.row).toMatchObject({
        lifetime: 'day',
        subscriptionId: null,
      })
      const taken = await free()
      await fixture.secrets.replace(taken.open)
      expect(await codeOf(fixture.kept.adopt(await fixture.subscribe(), taken))).toBe('unauthorized')
      expect(deriveKeys(adopted.secret)?.id).toBe(adopted.open.row.secretId)
    })
  })
})

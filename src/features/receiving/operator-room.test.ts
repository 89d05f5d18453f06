import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OPERATOR_SHARES, type OperatorShare } from '#core/mailbox/message-store.ts'
import type { SupportForm } from '#core/operating/support.ts'
import type { Logger } from '#core/telemetry.ts'
import { DAY } from '#core/time.ts'
import { createSupport, type Support } from '#features/operating/support.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { openMailboxFixture, STORAGE, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES, silentLogger } from '#test/support/fixtures/services.ts'
import { createOperatorRoom } from './operator-room.ts'

/** A share is a fifth of the mailbox. A network may use `PART` of it. */
const SHARE = (10 * STORAGE) / 5
const PART = SHARE / 20
const hash = (network: string) => network

describe.each(ENGINES)('the operator mailbox on %s', (engine) => {
  let fixture: MailboxFixture
  let support: Support
  beforeEach(async () => {
    fixture = await openMailboxFixture({ engine })
    support = createSupport({
      receive: fixture.receive,
      domains: [{ name: 'mayfly.test', tier: 'free' }],
      clock: () => fixture.time.now,
      wrap: createWrap(randomBytes(32)),
      maxMessageCharacters: SHARE,
      maxNameCharacters: 10,
    })
  })
  afterEach(() => fixture.close())

  const messageOf = (bytes: number): string => `Subject: x\r\n\r\n${'x'.repeat(bytes - 16)}\r\n`
  const write = (kind: SupportForm['kind'], premium: boolean, message = 'Hello') => {
    const reason = kind === 'contact' ? 'question' : 'other'
    const form = { kind, language: 'en', name: 'Ann', reason, email: 'ann@example.com', message }
    return support.send(support.email(form, { premium }))
  }
  /** For each share, how to send a message that uses it. */
  const sendTo: Record<OperatorShare, () => Promise<void>> = {
    postmaster: () => fixture.deliver(['Postmaster']),
    abuse: () => fixture.deliver(['Abuse+x@vip.mayfly.test']),
    contact: () => write('contact', false),
    problem: () => write('problem', false),
    premium: () => write('contact', true),
  }
  /** Returns the shares that still accept messages. */
  const openShares = async () => {
    const results = await Promise.allSettled(OPERATOR_SHARES.map((share) => sendTo[share]()))
    for (const each of results)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'mailbox_full' })
    return OPERATOR_SHARES.filter((_, index) => results[index]?.status === 'fulfilled')
  }

  test.each([
    ['postmaster', 'postmaster@mayfly.test'],
    ['abuse', 'abuse@mayfly.test'],
  ])('limits the messages to %s, without affecting the other shares', async (share, recipient) => {
    const tooBig = fixture.deliver([recipient], messageOf(SHARE + 1))
    await expect(tooBig).rejects.toMatchObject({ code: 'message_too_big' })
    await fixture.deliver([recipient], messageOf(SHARE - 100))
    await expect(fixture.deliver([recipient], messageOf(101))).rejects.toMatchObject({ code: 'mailbox_full' })
    await fixture.deliver([recipient], messageOf(100))
    expect(await openShares()).toEqual(OPERATOR_SHARES.filter((each) => each !== share))
  })

  test.each([
    ['contact', false],
    ['problem', false],
    ['contact', true],
  ] as const)(
    'limits the messages of the form %s (from a subscriber: %s), without affecting the other shares',
    async (kind, premium) => {
      const fill = async () => {
        for (let i = 0; i < 10; i++) await write(kind, premium, 'm'.repeat(SHARE / 5))
      }
      await expect(fill()).rejects.toMatchObject({ code: 'mailbox_full' })
      await expect(write(kind, premium, 'm'.repeat(SHARE / 5))).rejects.toMatchObject({ code: 'mailbox_full' })
      const others = OPERATOR_SHARES.filter((each) => each !== (premium ? 'premium' : kind))
      expect(await openShares()).toEqual(expect.arrayContaining(others))
    },
  )

  test('refuses a message beyond its limit also if another recipient would receive it', async () => {
    const { open: visitor } = await fixture.addresses.create({ login: 'beside' })
    await fixture.deliver(['abuse@mayfly.test'], messageOf(SHARE - 100))
    const both = ['abuse@mayfly.test', 'beside@mayfly.test']
    for (const recipients of [both, both.toReversed()])
      await expect(fixture.deliver(recipients, messageOf(101))).rejects.toMatchObject({ code: 'mailbox_full' })
    expect((await fixture.messages.list(visitor, {})).messages).toHaveLength(0)
    await fixture.deliver(both, messageOf(100))
    expect((await fixture.messages.list(visitor, {})).messages).toHaveLength(1)
    const mailbox = (await fixture.addresses.open(fixture.operatorSecret))!
    expect((await fixture.messages.list(mailbox, {})).messages).toHaveLength(2)
    await expect(fixture.receive.accept('abuse@mayfly.test', { shared: true })).rejects.toMatchObject({
      code: 'mailbox_full',
    })
    expect(await fixture.receive.accept('abuse@mayfly.test')).toMatchObject({ isFull: true })
  })

  test('counts the messages that another node stored', async () => {
    await fixture.deliver(['abuse@mayfly.test'], messageOf(SHARE))
    const { id } = (await fixture.addresses.open(fixture.operatorSecret))!.row
    const deps = { store: fixture.store.messages, clock: () => fixture.time.now, mailbox: async () => id }
    const node = () => createOperatorRoom({ ...deps, logger: silentLogger, limit: 10 * STORAGE, hash })
    await expect(node().check({ share: 'abuse', from: undefined })).rejects.toMatchObject({ code: 'mailbox_full' })
    await node().check({ share: 'postmaster', from: undefined })
    fixture.time.now += 90 * DAY
    await node().check({ share: 'abuse', from: undefined })
  })

  describe('limits each network', () => {
    const deliver = async (from: string, bytes: number, recipient = 'abuse@mayfly.test') => {
      const accepted = await fixture.receive.accept(recipient, { from })
      const envelope = { mailFrom: '', helo: 'x', clientAddress: from, tls: false, receivedAt: fixture.time.now }
      await fixture.receive.deliver(envelope, [accepted], Buffer.from(messageOf(bytes)))
    }
    const full = { code: 'mailbox_full' }

    test.each([
      ['192.0.2.1', '192.0.2.200', '192.0.3.1'],
      ['2001:db8:0:1::1', '2001:db8:0:ffff::1', '2001:db8:1::1'],
    ])('as one sender: %s and %s, but not %s', async (one, neighbor, other) => {
      await deliver(one, PART - 100)
      await expect(deliver(neighbor, 101)).rejects.toMatchObject(full)
      await deliver(neighbor, 100)
      await expect(deliver(one, 20)).rejects.toMatchObject(full)
      await deliver(other, PART)
      await deliver(one, PART, 'postmaster@mayfly.test')
      for (let i = 0; i < 3; i++) await deliver('127.0.0.1', PART)
    })

    test('by what it has in the mailbox, also on another node', async () => {
      await deliver('192.0.2.1', PART)
      await deliver('192.0.3.1', PART / 2)
      await expect(deliver('192.0.2.1', 20)).rejects.toMatchObject(full)
      const node = await fixture.newNode()
      const accepted = await node.receive.accept('abuse@mayfly.test', { from: '192.0.2.9' })
      const envelope = { mailFrom: '', helo: 'x', clientAddress: 'x', tls: false, receivedAt: fixture.time.now }
      await expect(node.receive.deliver(envelope, [accepted], Buffer.from(messageOf(20)))).rejects.toMatchObject(full)
      const mailbox = (await fixture.addresses.open(fixture.operatorSecret))!
      const { messages } = await fixture.messages.list(mailbox, {})
      await fixture.store.messages.removeAll(
        mailbox.row.id,
        messages.filter(({ size }) => size >= PART).map(({ id }) => id),
      )
      const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5001)
      try {
        await deliver('192.0.2.1', PART)
        await expect(deliver('192.0.3.1', PART)).rejects.toMatchObject(full)
      } finally {
        later.mockRestore()
      }
    })

    test.each([
      [['192.0.2.1'], PART],
      [Array.from({ length: 30 }, (_, i) => `192.0.${i}.1`), SHARE],
    ])('also if each message has another recipient', async (clients, limit) => {
      for (let i = 0; i < 60; i++) {
        const login = `beside${i}`
        await fixture.addresses.create({ login })
        const from = clients[i % clients.length]!
        const accept = (to: string) => fixture.receive.accept(to, { from })
        const accepted = [await accept('abuse@mayfly.test'), await accept(`${login}@mayfly.test`)]
        const envelope = { mailFrom: '', helo: 'x', clientAddress: from, tls: false, receivedAt: fixture.time.now }
        await fixture.receive.deliver(envelope, accepted, Buffer.from(messageOf(500))).catch(() => {})
      }
      const mailbox = (await fixture.addresses.open(fixture.operatorSecret))!
      expect(mailbox.row.usedBytes).toBeGreaterThan(0)
      expect(mailbox.row.usedBytes).toBeLessThanOrEqual(limit)
    })

    test('in the forms as well', async () => {
      const email = support.email({ kind: 'problem', language: 'en', reason: 'other', message: 'm'.repeat(PART) })
      await support.send(email, '192.0.2.1')
      await expect(support.send(email, '192.0.2.9')).rejects.toMatchObject(full)
      await support.send(email, '198.51.100.1')
    })
  })
})

test('counts concurrent messages', async () => {
  const store = { usedByShare: async () => ({}), usedByNetwork: async () => 0 }
  const logger = { warn: vi.fn<Logger['warn']>(), info: vi.fn<Logger['info']>() }
  const room = createOperatorRoom({
    store,
    logger,
    clock: () => 0,
    mailbox: async () => 'id',
    limit: 500,
    hash,
  })
  const reservations = Array.from({ length: 10 }, () => room.take({ share: 'abuse', from: undefined }, 40))
  expect((await Promise.allSettled(reservations)).filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(logger.warn.mock.calls).toEqual([[{ share: 'abuse' }, expect.stringContaining('operator-mail delete')]])
  room.settle({ share: 'abuse', from: undefined }, 40, false)
  await room.check({ share: 'abuse', from: undefined })
  expect(logger.info).toHaveBeenCalledTimes(1)
  const tooBig = room.take({ share: 'contact', from: undefined }, 101)
  await expect(tooBig).rejects.toMatchObject({ code: 'message_too_big' })
})

test('refuses a message of a known size that will not fit, before it is sent', async () => {
  const room = createOperatorRoom({
    store: { usedByShare: async () => ({ abuse: 60 }), usedByNetwork: async () => 0 },
    logger: silentLogger,
    clock: () => 0,
    mailbox: async () => 'id',
    limit: 500,
    hash,
  })
  const mail = { share: 'abuse', from: undefined } as const
  await room.check(mail, 40)
  await expect(room.check(mail, 41)).rejects.toMatchObject({ code: 'mailbox_full' })
  await expect(room.check(mail, 101)).rejects.toMatchObject({ code: 'message_too_big' })
  // The part of one network is a twentieth.
  const client = { ...mail, from: '192.0.2.1' }
  await room.take(client, 3)
  await room.check(client, 2)
  await expect(room.check(client, 3)).rejects.toMatchObject({ code: 'mailbox_full' })
})

test('reads the store every few seconds only, and frees the room of deleted messages', async () => {
  const used = { abuse: 100 }
  const usedByShare = vi.fn(async () => used)
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    const room = createOperatorRoom({
      store: { usedByShare, usedByNetwork: async () => 0 },
      logger: silentLogger,
      clock: () => 0,
      mailbox: async () => 'id',
      limit: 500,
      hash,
    })
    const mail = { share: 'abuse', from: undefined } as const
    for (let i = 0; i < 3; i++) await expect(room.check(mail)).rejects.toMatchObject({ code: 'mailbox_full' })
    expect(usedByShare).toHaveBeenCalledTimes(1)
    used.abuse = 40
    now.mockReturnValue(5001)
    await room.take(mail, 60)
    await expect(room.take(mail, 1)).rejects.toMatchObject({ code: 'mailbox_full' })
    // The reservation is not in the sums of the store yet, but still counts.
    now.mockReturnValue(10_002)
    await expect(room.check(mail)).rejects.toMatchObject({ code: 'mailbox_full' })
    room.settle(mail, 60, false)
    await room.take(mail, 60)
    room.settle(mail, 60, true)
    used.abuse = 100
    now.mockReturnValue(15_003)
    await expect(room.check(mail)).rejects.toMatchObject({ code: 'mailbox_full' })
    used.abuse = 99
    now.mockReturnValue(20_004)
    await room.take(mail, 1)
  } finally {
    now.mockRestore()
  }
})

test('says once that a network has used its part, and that it has room again', async () => {
  const logger = { warn: vi.fn<Logger['warn']>(), info: vi.fn<Logger['info']>() }
  let used = 5
  const room = createOperatorRoom({
    store: { usedByShare: async () => ({ abuse: 20 }), usedByNetwork: async () => used },
    logger,
    clock: () => 0,
    mailbox: async () => 'id',
    limit: 500,
    hash,
  })
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    const mail = { share: 'abuse', from: '192.0.2.1' } as const
    for (let i = 0; i < 20; i++) {
      now.mockReturnValue(i * 600_000)
      await expect(room.check(mail)).rejects.toMatchObject({ code: 'mailbox_full' })
      await room.check({ ...mail, share: 'postmaster', from: `198.51.${i}.1` }).catch(() => {})
    }
    const full = logger.warn.mock.calls.filter(([fields]) => JSON.stringify(fields).includes('abuse'))
    expect(full).toEqual([[{ share: 'abuse' }, expect.stringContaining('operator-mail delete')]])
    used = 0
    now.mockReturnValue(20 * 600_000)
    await room.check(mail)
    expect(logger.info.mock.calls).toEqual([[{ share: 'abuse' }, expect.stringContaining('room again')]])
  } finally {
    now.mockRestore()
  }
})

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MayflyError, smtpReply } from '#core/errors.ts'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { openMailboxFixture, STORAGE, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: MailboxFixture
  /** Called before an append, so that a test can make it fail. */
  let onAppend: ((messages: readonly NewMessage[]) => void) | undefined
  const wrap = (store: Store): Store => ({
    ...store,
    messages: {
      ...store.messages,
      async append(messages) {
        onAppend?.(messages)
        return store.messages.append(messages)
      },
    },
  })
  beforeAll(async () => {
    fixture = await openMailboxFixture({ engine, wrap })
  })
  afterAll(() => fixture.close())
  beforeEach(() => {
    onAppend = undefined
  })

  const replyTo = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'accepted',
      (error: unknown) => smtpReply(error),
    )
  const create = async (login?: string) => (await fixture.addresses.create({ login })).open
  const subjects = async (secretOrOpen: Awaited<ReturnType<typeof create>>) =>
    (await fixture.messages.list(secretOrOpen, {})).messages.map(({ subject }) => subject)

  describe('RCPT', () => {
    let someOneCreated: ReturnType<typeof create> | undefined
    const someOne = () => (someOneCreated ??= create('some.one'))

    test.each([
      ['nobody@mayfly.test', '550 5.1.1'],
      ['someone@elsewhere.example', '550 5.7.1'],
      ['someone@sub.mayfly.test', '550 5.7.1'],
      ['someone@mayfly.test.elsewhere.example', '550 5.7.1'],
      ['a@b@mayfly.test', '550 5.1.1'],
      ['someone%elsewhere.example@mayfly.test', '550 5.1.1'],
      ['someone', '550 5.7.1'],
      ['"quoted one"@mayfly.test', '550 5.1.1'],
    ])('%s: %s', async (recipient, reply) => expect(await replyTo(fixture.receive.accept(recipient))).toContain(reply))

    test.each([
      'some.one@mayfly.test',
      'SOME.ONE@MAYFLY.TEST',
      'some.one+tag@mayfly.test',
      'some.one+a+b@mayfly.test',
      'some.one@mayfly.test.',
    ])('%s reaches some.one@mayfly.test', async (recipient) => {
      const { row } = await someOne()
      expect((await fixture.receive.accept(recipient)).row?.id).toBe(row.id)
    })

    test.each(['postmaster@mayfly.test', 'ABUSE@vip.mayfly.test', 'postmaster+x@mayfly.test', 'postmaster'])(
      "%s reaches the operator's mailbox",
      async (recipient) => {
        const operator = await fixture.addresses.open(fixture.operatorSecret)
        expect((await fixture.receive.accept(recipient)).row?.id).toBe(operator?.row.id)
      },
    )

    describe('the sender of our own emails', () => {
      const envelope = { helo: 'x', clientAddress: '192.0.2.1', tls: false, receivedAt: 0 }
      const accept = (recipient: string, mailFrom: string) =>
        fixture.receive.accept(recipient, { attempt: { envelope: { ...envelope, mailFrom }, size: null } })

      test('accepts reports, which are discarded', async () => {
        const { messages } = await fixture.store.stats(fixture.time.now)
        const accepted = [await accept('NoReply@mayfly.test', '')]
        await fixture.receive.deliver({ ...envelope, mailFrom: '' }, accepted, Buffer.from('Subject: x\r\n\r\n'))
        expect((await fixture.store.stats(fixture.time.now)).messages).toBe(messages)
      })

      test('tells other senders that nobody reads it', async () => {
        const reply = '550 5.2.1 This mailbox is not read'
        expect(await replyTo(accept('noreply@mayfly.test', 'a@sender.example'))).toContain(reply)
      })

      test.each([
        ['noreply@vip.mayfly.test', '550 5.1.1'],
        ['noreply@elsewhere.example', '550 5.7.1'],
      ])('is not %s', async (recipient, reply) => expect(await replyTo(accept(recipient, ''))).toContain(reply))
    })

    test('rejects the internal name of the operator mailbox', async () =>
      expect(await replyTo(fixture.receive.accept('operator@mayfly.test'))).toContain('550 5.1.1'))
  })

  describe('delivery', () => {
    test('follows the envelope and not To:, with one copy for each mailbox', async () => {
      const [one, two, three] = await Promise.all(['first.one', 'second.one', 'third.one'].map(create))
      const raw = 'To: third.one@mayfly.test\r\nSubject: list\r\n\r\nhello\r\n'
      await fixture.deliver(['first.one@mayfly.test', 'second.one@mayfly.test', 'second.one+again@mayfly.test'], raw)
      expect(await subjects(one!)).toEqual(['list'])
      expect(await subjects(two!)).toEqual(['list'])
      expect(await subjects(three!)).toEqual([])
    })

    test('knows all recipients that belong to one mailbox', async () => {
      const [tags, other] = [await create('with.tags'), await create('without.tags')]
      const names = ['with.tags+alice@mayfly.test', 'with.tags+bob@mayfly.test', 'With.Tags@mayfly.test']
      await fixture.deliver([names[0]!, other.address, ...names.slice(1)])
      await fixture.settled()
      const found = async (open: typeof tags, to: string) => (await fixture.messages.list(open, { to })).messages
      for (const to of ['+alice', '+bob', '/^with\\.tags@/i'])
        expect(await found(tags, to)).toMatchObject([{ to: names[0], recipients: names }])
      expect(await found(tags, 'without')).toEqual([])
      expect(await found(other, '')).toMatchObject([{ to: other.address, recipients: [other.address] }])
    })

    test('reaches a hundred recipients of one message', async () => {
      const owners = await Promise.all(Array.from({ length: 100 }, (_, i) => create(`reader-${i}`)))
      await fixture.deliver(owners.map(({ address }) => address))
      for (const owner of owners) expect(await subjects(owner)).toEqual(['hello'])
    })

    test('fails permanently for an address that was deleted after RCPT', async () => {
      const open = await create('going.away')
      const accepted = await fixture.receive.accept(open.address)
      await fixture.addresses.remove(open)
      const envelope = { mailFrom: '', helo: 'x', clientAddress: '192.0.2.1', tls: false, receivedAt: fixture.time.now }
      expect(await replyTo(fixture.receive.deliver(envelope, [accepted], Buffer.from('\r\n')))).toContain('550 5.1.1')
    })

    test.each([
      [new MayflyError('store_unavailable'), '451 4.3.0'],
      [new MayflyError('disk_full'), '452 4.3.1'],
      [new Error('unheard of'), '451 4.3.0'],
    ])('replies to %s with %s, and accepts the next message', async (error, reply) => {
      const open = await create()
      onAppend = () => {
        throw error
      }
      expect(await replyTo(fixture.deliver([open.address]))).toContain(reply)
      onAppend = undefined
      await fixture.deliver([open.address])
      expect(await subjects(open)).toEqual(['hello'])
    })
  })

  test('retracts a message if one of its recipients fails, because the sender will retry for all of them', async () => {
    const owners = await Promise.all(Array.from({ length: 150 }, (_, i) => create(`half-${i}`)))
    const [unlucky] = owners.slice(-1)
    onAppend = (messages) => {
      if (messages.some(({ addressId }) => addressId === unlucky!.row.id)) throw new MayflyError('store_unavailable')
    }
    const everybody = owners.map(({ address }) => address)
    expect(await replyTo(fixture.deliver(everybody))).toContain('451 4.3.0')
    for (const owner of owners) await expect.poll(() => subjects(owner)).toEqual([])
    onAppend = undefined
    await fixture.deliver(everybody)
    for (const owner of owners) expect(await subjects(owner)).toEqual(['hello'])
  })

  describe('the storage of an address', () => {
    const attempt = (size: number | null) => ({
      envelope: { mailFrom: '', helo: 'x', clientAddress: '192.0.2.1', tls: false, receivedAt: fixture.time.now },
      size,
    })
    const mail = (bytes: number): string => `Subject: x\r\n\r\n${'x'.repeat(bytes - 14)}`

    test.each([
      [STORAGE - 1, 'accepted'],
      [STORAGE, 'accepted'],
      [STORAGE + 1, '452 4.2.2'],
    ])('replies to a message of %i bytes: %s', async (bytes, reply) => {
      const open = await create()
      expect(mail(bytes)).toHaveLength(bytes)
      expect(await replyTo(fixture.deliver([open.address], mail(bytes)))).toContain(reply)
    })

    test('when full, makes RCPT fail until a message is deleted', async () => {
      const open = await create()
      await fixture.deliver([open.address], mail(STORAGE))
      expect(await replyTo(fixture.receive.accept(open.address))).toContain('452 4.2.2')
      const [message] = (await fixture.messages.list(open, {})).messages
      await fixture.messages.remove(open, message!.id)
      await fixture.deliver([open.address], mail(STORAGE))
    })

    test.each([
      [null, 'accepted'],
      [100, 'accepted'],
      [101, '452 4.2.2'],
      [400, '452 4.2.2'],
    ])(
      'with 400 bytes left, which include a trace header, replies to RCPT after MAIL with SIZE=%s: %s',
      async (size, reply) => {
        const open = await create()
        await fixture.deliver([open.address], mail(STORAGE - 400))
        expect(await replyTo(fixture.receive.accept(open.address, { attempt: attempt(size) }))).toContain(reply)
      },
    )

    test('is asked for before a message gets memory', async () => {
      const lend = vi.spyOn(fixture.memory, 'lend')
      const open = await create()
      await fixture.deliver([open.address], mail(STORAGE - 100))
      lend.mockClear()
      expect(await replyTo(fixture.deliver([open.address], mail(101)))).toContain('452 4.2.2')
      expect(lend).not.toHaveBeenCalled()
      await fixture.deliver([open.address], mail(100))
      expect(lend).toHaveBeenCalledTimes(1)
    })

    test('may be freed after RCPT', async () => {
      const open = await create()
      await fixture.deliver([open.address], mail(STORAGE - 100))
      const accepted = [await fixture.receive.accept(open.address)]
      const deliver = () => replyTo(fixture.receive.deliver(attempt(0).envelope, accepted, Buffer.from(mail(500))))
      expect(await deliver()).toContain('452 4.2.2')
      const [message] = (await fixture.messages.list(open, {})).messages
      await fixture.messages.remove(open, message!.id)
      expect(await deliver()).toBe('accepted')
    })

    test('of one recipient does not affect other recipients of a message', async () => {
      const [full, free] = await Promise.all(['full.box', 'free.box'].map(create))
      await fixture.deliver([full!.address], mail(STORAGE - 100))
      await fixture.deliver([full!.address, free!.address], mail(500))
      expect(await subjects(free!)).toEqual(['x'])
      expect(await subjects(full!)).toHaveLength(2)
    })

    test('is not exceeded by concurrent messages', async () => {
      const open = await create()
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => replyTo(fixture.deliver([open.address], mail(STORAGE / 4)))),
      )
      expect(replies.filter((reply) => reply === 'accepted')).toHaveLength(4)
    })
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SupportForm } from '#core/operating/support.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { openMailboxFixture, STORAGE, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { createSupport, type Support } from './support.ts'

const MAX_MESSAGE = 50
const MAX_NAME = 10

let fixture: MailboxFixture
let support: Support
beforeEach(async () => {
  fixture = await openMailboxFixture()
  support = createSupport({
    receive: fixture.receive,
    domains: [{ name: 'mayfly.test', tier: 'free' }],
    clock: () => fixture.time.now,
    wrap: createWrap(Buffer.alloc(32)),
    maxMessageCharacters: MAX_MESSAGE,
    maxNameCharacters: MAX_NAME,
  })
})
afterEach(() => fixture.close())

const contact: SupportForm = {
  kind: 'contact',
  language: 'de',
  name: 'Ann',
  reason: 'abuse',
  email: 'ann@example.com',
  message: 'First line\nsecond line',
}
const problem: SupportForm = { kind: 'problem', language: 'zh', reason: 'not-arriving', message: '收不到邮件' }

const send = (form: SupportForm) => support.send(support.email(form))
const codeOf = (form: SupportForm): string => {
  try {
    support.email(form)
    return 'fine'
  } catch (error) {
    return (error as { code: string }).code
  }
}

/** Returns the newest message in the operator mailbox. */
async function received() {
  const mailbox = (await fixture.addresses.open(fixture.operatorSecret))!
  const [summary] = (await fixture.messages.list(mailbox, {})).messages
  const { content } = await fixture.messages.read(mailbox, summary!.id)
  const raw = Buffer.from(await fixture.messages.raw(mailbox, summary!.id)).toString()
  const header = (name: string) =>
    content.headers.filter((each) => each.name.toLowerCase() === name).map(({ value }) => value)
  return { ...summary!, ...content, raw, header }
}

describe('the operator mailbox', () => {
  test('receives a contact form with all its fields and nothing else about the visitor', async () => {
    await send(contact)
    const mail = await received()
    expect(mail).toMatchObject({
      from: { name: 'Ann via Mayfly', address: 'noreply@mayfly.test' },
      to: 'abuse@mayfly.test',
      subject: '[contact: abuse] First line',
    })
    expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe(
      'First line\nsecond line\n\n-- \nForm: contact\nAbout: abuse\nName: Ann\nEmail: ann@example.com\nLanguage: de',
    )
    expect(mail.header('reply-to')).toEqual(['Ann <ann@example.com>'])
    expect(mail.header('auto-submitted')).toEqual(['auto-generated'])
    expect(mail.header('message-id')[0]).toMatch(/^<[\w-]+@mayfly\.test>$/)
    expect(Date.parse(mail.header('date')[0] ?? '')).toBe(fixture.time.now)
    expect(mail.raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test('receives a problem form, with Reply-To only if an email address is given', async () => {
    await send(problem)
    const mail = await received()
    expect(mail).toMatchObject({ to: 'postmaster@mayfly.test', subject: '[problem: not-arriving] 收不到邮件' })
    expect(mail.from.name).toBe('Mayfly')
    expect(mail.header('reply-to')).toEqual([])
    await send({ ...problem, email: 'ann@example.com' })
    expect((await received()).header('reply-to')).toEqual(['ann@example.com'])
  })

  test.each([
    ['王小明', '你好，我想问一个问题。'],
    ['علی', 'سلام، می‌خواهم بپرسم'],
    ['A"b,<c>', '.\n..\nFrom here\n=3D=\n\ttab'],
    ['😀 Zoë', '😀'.repeat(25)],
  ])('keeps the text of %s', async (name, message) => {
    await send({ ...contact, name, message })
    const mail = await received()
    expect(mail.from.name).toBe(`${name} via Mayfly`)
    expect(mail.subject).toBe(`[contact: abuse] ${message.split('\n')[0]}`)
    expect(mail.text?.replaceAll('\r\n', '\n')).toContain(`${message}\n\n-- \n`)
    expect(mail.header('reply-to')[0]).toContain('<ann@example.com>')
  })

  test('does not turn input into header fields, recipients or attachments', async () => {
    const name = 'A\r\nBcc: b'
    await send({
      ...contact,
      name,
      message: '\u202Ex\u0000\u001B[2J\r\nBcc: bob@example.com\r\n\r\n\uD800 y',
      language: 'en',
    })
    const mail = await received()
    expect(mail.from).toEqual({ name: 'A Bcc: b via Mayfly', address: 'noreply@mayfly.test' })
    expect(mail.header('bcc')).toEqual([])
    expect(mail.subject).toBe('[contact: abuse] x[2J')
    for (const control of ['\u0000', '\u001B']) expect(mail.text).not.toContain(control)
    expect(mail.text).toContain('Bcc: bob@example.com')
    expect(mail.attachments).toEqual([])
  })

  test('shortens a long first line only in the subject', async () => {
    const long = createSupport({
      receive: fixture.receive,
      domains: [],
      clock: Date.now,
      wrap: createWrap(Buffer.alloc(32)),
      maxMessageCharacters: 5000,
      maxNameCharacters: 1,
    })
    const message = `${'字'.repeat(4000)} ${'word '.repeat(199)}end`
    const email = long.email({ ...problem, message })
    expect(email.subject).toBe(`[problem: not-arriving] ${'字'.repeat(99)}…`)
    await long.send({ ...email, to: 'postmaster@mayfly.test' })
    const mail = await received()
    expect(mail.text).toContain(message)
    expect(Math.max(...mail.raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
  })
})

describe('validation', () => {
  test.each<[Partial<SupportForm>, string]>([
    [{}, 'fine'],
    [{ name: undefined }, 'name_invalid'],
    [{ name: ' \u0007 ' }, 'name_invalid'],
    [{ name: 'n'.repeat(MAX_NAME - 1) }, 'fine'],
    [{ name: 'n'.repeat(MAX_NAME) }, 'fine'],
    [{ name: 'n'.repeat(MAX_NAME + 1) }, 'name_invalid'],
    [{ reason: undefined }, 'reason_invalid'],
    [{ reason: 'not-arriving' }, 'reason_invalid'],
    [{ email: undefined }, 'email_invalid'],
    [{ email: 'ann' }, 'email_invalid'],
    [{ message: undefined }, 'message_invalid'],
    [{ message: ' \r\n\u0000 ' }, 'message_invalid'],
    [{ message: 'm'.repeat(MAX_MESSAGE - 1) }, 'fine'],
    [{ message: 'm'.repeat(MAX_MESSAGE) }, 'fine'],
    [{ message: 'm'.repeat(MAX_MESSAGE + 1) }, 'message_too_long'],
    // A form submits a line break as two characters, but the browser counts one.
    [{ message: 'm\r\n'.repeat(MAX_MESSAGE / 2) }, 'fine'],
  ])('checks the contact form %j: %s', (change, code) => expect(codeOf({ ...contact, ...change })).toBe(code))

  test.each<[Partial<SupportForm>, string]>([
    [{}, 'fine'],
    [{ email: '  ' }, 'fine'],
    [{ email: 'ann' }, 'email_invalid'],
    [{ reason: 'abuse' }, 'reason_invalid'],
    [{ message: '' }, 'message_invalid'],
  ])('checks the problem form %j: %s', (change, code) => expect(codeOf({ ...problem, ...change })).toBe(code))
})

test('throws mailbox_full if the share of its kind is full', async () => {
  const fill = async () => {
    for (let bytes = 0; bytes <= 2 * STORAGE; bytes += MAX_MESSAGE) await send(contact)
  }
  await expect(fill()).rejects.toMatchObject({ code: 'mailbox_full' })
  await send(problem)
})

describe('the email of a subscriber', () => {
  const priority = async () => support.hasPriority((await received()).headers)

  test('has priority in its subject and its header', async () => {
    await support.send(support.email(contact, { premium: true }))
    const mail = await received()
    expect(mail.subject).toBe('[premium] [contact: abuse] First line')
    expect(mail.header('x-mayfly-priority')).toEqual([expect.stringMatching(/^premium [\w-]{22}$/)])
    expect(await priority()).toBe(true)
  })

  test('cannot be imitated by the text of a form', async () => {
    await send({ ...contact, message: '[premium] at once!', name: '[premium]' })
    expect((await received()).subject).toBe('[contact: abuse] [premium] at once!')
    expect(await priority()).toBe(false)
  })

  test.each([
    ['its header', 'X-Mayfly-Priority: premium'],
    ['the header of another email', ''],
  ])('cannot be imitated with %s', async (_what, header) => {
    await support.send(support.email(contact, { premium: true }))
    const copied = /^X-Mayfly-Priority: .*$/im.exec((await received()).raw)?.[0] ?? ''
    const raw = `Message-ID: <x@y.example>\r\nSubject: [premium] hello\r\n${header || copied}\r\n\r\nx\r\n`
    await fixture.deliver(['postmaster@mayfly.test'], raw)
    expect((await received()).header('x-mayfly-priority')).toHaveLength(1)
    expect(await priority()).toBe(false)
  })
})

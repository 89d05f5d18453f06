import { afterAll, describe, expect, test } from 'vitest'
import type { SummaryContent } from '#core/mailbox/message.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { createReader } from './reader.ts'

const reader = createReader({ timeout: 3000, authenticationTimeout: 500 })
afterAll(() => reader.close())

const mail = (headers: string[], body: string | Buffer = 'hello'): Buffer =>
  Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])
const summarize = (raw: Uint8Array): Promise<SummaryContent> => reader.summarize(raw, ENVELOPE)

describe('summarize', () => {
  test('returns sender, subject and preview', async () => {
    const summary = await summarize(
      mail(['From: "Ann Lee" <ann@sender.example>', 'Subject: Hello there'], 'First line\r\nSecond line'),
    )
    expect(summary).toMatchObject({
      from: { name: 'Ann Lee', address: 'ann@sender.example' },
      to: 'me@mayfly.test',
      subject: 'Hello there',
      preview: 'First line Second line',
      unreadable: false,
      attachments: [],
    })
  })

  test.each([
    ['=?utf-8?B?5L2g5aW9?=', '你好'],
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?iso-8859-1?Q?Gr=FC=DFe?=', 'Grüße'],
    ['=?gb2312?B?xOO6ww==?=', '你好'],
    ['=?utf-8?B?5L2g?= =?utf-8?B?5aW9?=', '你好'],
    ['=?utf-8?B?5L0=?= =?utf-8?B?oOWlvQ==?=', '你好'],
    ['=?koi8-r?B?8NLJ18XU?=', 'Привет'],
    ['=?iso-2022-jp?B?GyRCJDMkcyRLJEEkTxsoQg==?=', 'こんにちは'],
    ['=?nonsense?Q?plain?=', 'plain'],
    ['=?utf-7?Q?Hi_+AOQ-_+-?=', 'Hi ä +'],
    ['=?UTF-7?B?SGkgK1QyQlpmUS0=?=', 'Hi 你好'],
    ['=?utf-8?Q?Grü=C3=9Fe_an?= =?utf-8?Q?_dich?=', 'Grüße an dich'],
    ['=?iso-8859-1?Q?Grü=DFe?= an dich', 'Grüße an dich'],
    ['a\u202Egpj.exe', 'agpj.exe'],
  ])('decodes the subject %s', async (encoded, subject) => {
    expect((await summarize(mail([`Subject: ${Buffer.from(encoded).toString('latin1')}`]))).subject).toBe(subject)
  })

  test.each([
    ['=?iso-8859-1?Q?Gr\u00FC\u00DFe?=', 'Grüße'],
    ['=?koi8-r?Q?\u00F0\u00D2=C9\u00D7=C5=D4?= \u00FC', 'Привет ü'],
    ['=?gb2312?Q?\u00C4\u00E3=BA=C3?=', '你好'],
  ])('decodes raw bytes in an encoded word with its charset: %s', async (bytes, subject) => {
    expect((await summarize(mail([`Subject: ${bytes}`]))).subject).toBe(subject)
  })

  test('leaves hidden preheaders out of the preview', async () => {
    const html = '<div style="display:none">secret junk</div><p>Welcome aboard</p>'
    expect((await summarize(mail(['Content-Type: text/html'], html))).preview).toBe('Welcome aboard')
  })
})

const multipart = (...parts: string[]): Buffer =>
  mail(
    ['Subject: parts', 'Content-Type: multipart/mixed; boundary=b'],
    `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  )

describe('a text part with a name', () => {
  const BODY = 'Content-Type: text/plain\r\n\r\nthe body'
  const NOTES = 'the notes, \u00FC'
  const named = (head: string) => `${head}\r\n\r\n${NOTES}`

  test.each([
    ['Content-Type: text/plain\r\nContent-Disposition: inline; filename="notes.txt"', 'notes.txt'],
    ['Content-Type: text/plain; name="notes.txt"', 'notes.txt'],
    ['Content-Type: text/html\r\nContent-Disposition: inline; filename="page.html"', 'page.html'],
    ['Content-Type: text/plain; charset=utf-7; name="notes.txt"', 'notes.txt'],
  ])('is an attachment, not part of the body: %s', async (head, filename) => {
    const raw = multipart(BODY, named(head))
    expect((await summarize(raw)).attachments).toMatchObject([{ filename }])
    expect((await reader.content(raw)).text?.trim()).toBe('the body')
    expect((await reader.content(raw)).html).toBeNull()
    expect(String(Buffer.from((await reader.attachment(raw, 0))!.content)).trim()).toBe(NOTES)
  })

  test.each([
    ['the only part', mail(['Content-Type: text/plain; name="body.txt"'], 'the body')],
    ['the first part', multipart('Content-Type: text/plain; name="body.txt"\r\n\r\nthe body')],
    [
      'one of two alternatives',
      mail(
        ['Content-Type: multipart/alternative; boundary=b'],
        '--b\r\nContent-Type: text/plain; name="body.txt"\r\n\r\nthe body\r\n--b\r\n' +
          'Content-Type: text/html; name="body.html"\r\n\r\n<p>the body</p>\r\n--b--\r\n',
      ),
    ],
  ])('is the body if it is %s', async (_, raw) => {
    expect((await summarize(raw)).attachments).toEqual([])
    expect((await reader.content(raw)).text?.trim()).toBe('the body')
  })
})

describe('attachments', () => {
  test.each([
    ['Content-Type: application/pdf; name="a.pdf"', 'a.pdf'],
    ["Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*=utf-8''%E4%BD%A0.pdf", '你.pdf'],
    ['Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="=?utf-8?B?5L2g?=.pdf"', '你.pdf'],
    [
      'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*0=long; filename*1=name.pdf',
      'longname.pdf',
    ],
    ['Content-Type: application/pdf\r\nContent-Disposition: attachment', 'document.pdf'],
    ['Content-Type: image/png\r\nContent-Disposition: attachment', 'attachment-1.png'],
    ['Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\nSubject: inner\r\n\r\nx', 'inner.eml'],
    ['Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR', 'invite.ics'],
  ])('names %s %s', async (part, filename) => {
    const raw = multipart(
      'Content-Type: text/plain\r\n\r\nbody',
      part.includes('\r\n\r\n') ? part : `${part}\r\n\r\nPDFDATA`,
    )
    const { attachments } = await summarize(raw)
    expect(attachments.map((each) => each.filename)).toEqual([filename])
    const found = await reader.attachment(raw, 0)
    expect(found?.content.length).toBe(attachments[0]?.size)
    expect(await reader.attachment(raw, 1)).toBeUndefined()
  })

  test('do not include inline images, which are part of the body', async () => {
    const raw = multipart(
      'Content-Type: text/html\r\n\r\n<img src="cid:x@y">',
      'Content-Type: image/png\r\nContent-ID: <x@y>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=',
    )
    expect((await summarize(raw)).attachments).toEqual([])
    expect((await reader.content(raw)).html).toContain('src="data:image/png;base64,iVBORw0KGgo="')
  })

  test('include images that the HTML names, but does not show', async () => {
    const png = `Content-Type: image/png; name="x.png"\r\nContent-ID: <x>\r\nContent-Transfer-Encoding: base64\r\n\r\n`
    const big = `${png}${Buffer.alloc(3_770_000).toString('base64')}`
    const names = async (html: string, ...parts: string[]): Promise<string[]> => {
      const raw = multipart(`Content-Type: text/html\r\n\r\n${html}`, ...parts)
      const { attachments } = await summarize(raw)
      const found = await reader.attachment(raw, attachments.length - 1)
      expect(found?.filename).toBe(attachments.at(-1)?.filename)
      return attachments.map(({ filename }) => filename)
    }
    expect(await names('<p style="background:url(cid:x)">a</p>', `${png}iVBORw0KGgo=`)).toEqual([])
    expect(await names('<a href="cid:x">cid:x</a>', `${png}iVBORw0KGgo=`)).toEqual(['x.png'])
    expect(await names('<img src="cid:x">', `${png}iVBORw0KGgo=`, `${png}iVBORw0KGgo=`)).toEqual(['x.png'])
    // Together they are too large for one page.
    const two = big.replaceAll('x.png', 'y.png').replace('<x>', '<y>')
    expect(await names('<img src="cid:x"><img src="cid:y">', big, two)).toEqual(['y.png'])
  })

  test('without other text, an invitation is shown as text', async () => {
    const ics =
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Tea\r\nDTSTART:20260314T090000Z\r\nLOCATION:Pier 4\r\nEND:VEVENT\r\nEND:VCALENDAR'
    const { text } = await reader.content(mail(['Content-Type: text/calendar; method=REQUEST'], ics))
    expect(text).toBe('Tea\n2026-03-14 09:00 UTC\nPier 4')
  })

  test.each(['message/rfc822', 'message/global'])('show a forwarded %s in the text', async (type) => {
    const raw = multipart(`Content-Type: ${type}\r\n\r\nSubject: inner\r\n\r\nYour code is 482913`)
    expect((await reader.content(raw)).text).toContain('Your code is 482913')
    const { code, attachments } = await summarize(raw)
    expect([code, attachments.map(({ filename }) => filename)]).toEqual(['482913', ['inner.eml']])
  })

  test.each([
    ['delivery-status', 'rfc822', ['delivery-status.txt', 'inner.eml']],
    ['global-delivery-status', 'global', ['delivery-status.txt', 'inner.eml']],
    ['global-delivery-status', 'global-headers', ['delivery-status.txt', 'headers.txt']],
  ])('have the message that a %s returns as %s, which is not shown', async (status, type, names) => {
    const raw = multipart(
      `Content-Type: message/${status}\r\n\r\nReporting-MTA: dns; a.example\r\n--b\r\nContent-Type: message/${type}\r\n\r\nSubject: inner\r\n\r\nYour code is 482913`,
    )
    const { code, attachments } = await summarize(raw)
    expect([code, attachments.map(({ filename }) => filename)]).toEqual([null, names])
    expect((await reader.content(raw)).text ?? '').not.toContain('482913')
  })

  test('have parts between boundaries of up to 250 characters', async () => {
    const parted = (length: number): Buffer => {
      const boundary = 'b'.repeat(length)
      return Buffer.from(`Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n--${boundary}\r\n\r\nhello\r\n`)
    }
    expect((await reader.content(parted(250))).text?.trim()).toBe('hello')
    expect((await reader.content(parted(251))).text).toMatch(/^--b+\s+hello\s*$/)
  })
})

describe('a message that exceeds the limits of the parser', () => {
  const nested = (depth: number): Buffer => {
    let raw = 'Subject: deep\r\n'
    for (let i = 0; i < depth; i++) raw += `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`
    return Buffer.from(`${raw}\r\nend`)
  }
  const parts = (count: number): Buffer => multipart(...Array.from({ length: count }, () => '\r\nx'))

  test.each([
    ['1,000 parts', parts(1000), false],
    ['1,001 parts', parts(1001), true],
    ['a depth of 99', nested(99), false],
    ['a depth of 120', nested(120), true],
    ['10,000 levels', nested(10_000), true],
    ['headers of 3 MB', mail([`Subject: big`, `X: ${'y'.repeat(3_000_000)}`]), true],
  ])('is still listed: %s', async (_name, raw, unreadable) => {
    const summary = await summarize(raw)
    expect(summary.unreadable).toBe(unreadable)
    expect(summary.subject).not.toBe('')
    expect((await reader.content(raw)).headers.length).toBeGreaterThan(0)
  })

  test('kills its thread, which is replaced, and other messages are parsed', async () => {
    const small = createReader({ timeout: 30, memory: 64 * 1024 * 1024 })
    const heavy = multipart(
      ...Array.from({ length: 900 }, () => `Content-Type: text/html\r\n\r\n${'<p>x</p>'.repeat(1500)}`),
    )
    const results = await Promise.all([
      small.summarize(heavy, ENVELOPE, { whole: true }),
      small.summarize(mail(['Subject: light']), ENVELOPE, { whole: true }),
    ])
    expect(results.map(({ unreadable }) => unreadable)).toEqual([true, expect.any(Boolean)])
    expect((await small.summarize(mail(['Subject: after']), ENVELOPE)).subject).toBe('after')
    await small.close()
  })
})

const HOSTILE: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['NUL bytes', Buffer.alloc(100_000)],
  ['random bytes', Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 256))],
  ['no header', Buffer.from('\r\n\r\n')],
  ['a 40 KB From', mail([`From: ${'<'.repeat(40_000)}`])],
  ['a 400 KB From', mail([`From: ${'a,'.repeat(200_000)}`])],
  ['nested comments', mail([`From: ${'('.repeat(100_000)}`])],
  ['encoded words', mail([`Subject: ${'=?utf-8?Q?a?= '.repeat(50_000)}`])],
  ['broken encoded words', mail([`Subject: ${'=?utf-8?B?'.repeat(50_000)}`])],
  ['quoted-printable junk', mail(['Content-Transfer-Encoding: quoted-printable'], '='.repeat(1_000_000))],
  ['base64 junk', mail(['Content-Transfer-Encoding: base64'], '!'.repeat(1_000_000))],
  ['unclosed multipart', mail(['Content-Type: multipart/mixed; boundary=b'], '--b\r\n'.repeat(900))],
  ['unclosed tags', mail(['Content-Type: text/html'], '<div'.repeat(200_000))],
  ['deep tags', mail(['Content-Type: text/html'], '<b>'.repeat(200_000))],
  ['many attributes', mail(['Content-Type: text/html'], `<p ${'a=1 '.repeat(200_000)}>`)],
  ['style bait', mail(['Content-Type: text/html'], `<p style="${'a:url('.repeat(100_000)}">`)],
  ['style sheet bait', mail(['Content-Type: text/html'], `<style>${'a{'.repeat(100_000)}</style>`)],
  ['entities', mail(['Content-Type: text/html'], '&'.repeat(500_000))],
  ['one long line', mail([], 'a'.repeat(5_000_000))],
  ['spaces', mail([], ' '.repeat(2_000_000))],
  ['line breaks', mail(['Content-Type: text/html'], '\n'.repeat(1_000_000))],
  ['format=flowed', mail(['Content-Type: text/plain; format=flowed'], 'a \r\n'.repeat(50_000))],
  ['digits', mail([], '123456 '.repeat(200_000))],
  ['links', mail([], 'https://a.example/verify '.repeat(50_000))],
  ['uuencode', mail([], `begin 644 x\r\n${'M'.repeat(100_000)}`)],
  ['a calendar of one line', mail(['Content-Type: text/calendar'], `BEGIN:VEVENT${'SUMMARY:'.repeat(100_000)}`)],
  ['parameters', mail([`Content-Type: text/plain; ${'a=b;'.repeat(100_000)}`])],
  [
    'continuations',
    mail([`Content-Type: text/plain; ${Array.from({ length: 20_000 }, (_, i) => `name*${i}=x`).join(';')}`]),
  ],
]

test('a report takes turns with the messages that somebody opens', async () => {
  const busy = createReader({ timeout: 10_000 })
  const order: string[] = []
  const raw = mail([], 'a'.repeat(100_000))
  const opened = Array.from({ length: 20 }, () =>
    busy.content(raw, { addressId: 'visited' }).then(() => order.push('opened')),
  )
  const report = busy.report(mail([]), { clientAddress: '192.0.2.1' }).then(() => order.push('report'))
  await Promise.all([...opened, report])
  expect(order.indexOf('report')).toBeLessThan(3)
  await busy.close()
})

test('at most 200 different remote images of a message can be shown', async () => {
  const images = Array.from({ length: 250 }, (_, i) => `<img src="https://a.example/${i}.png">`).join('')
  const raw = mail(['Content-Type: text/html'], `${images}<img src="https://a.example/0.png">`)
  const remote = { prefix: '/proxy', key: new Uint8Array(32), expiresAt: 1 }
  const frame = Buffer.from(await reader.frame(raw, { view: 'html', remote })).toString()
  expect(new Set(frame.match(/\/proxy\?u=[^"]+/g)).size).toBe(200)
  expect(frame.match(/\/proxy\?u=/g)).toHaveLength(201)
})

test.each(HOSTILE)('a hostile message gets a result in time: %s', async (_name, raw) => {
  const started = performance.now()
  const [summary, content] = await Promise.all([summarize(raw), reader.content(raw)])
  expect(typeof summary.subject).toBe('string')
  expect(Array.isArray(content.headers)).toBe(true)
  // Two jobs of at most 3 s each, after which the thread is killed, and some time for a busy machine.
  expect(performance.now() - started).toBeLessThan(12_000)
})

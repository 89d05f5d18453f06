import type { Email } from 'postal-mime'
import { expect, test, vi } from 'vitest'
import type { Envelope } from '#core/mailbox/message.ts'
import { mail, multipart } from '#test/fixtures/mail/build.ts'
import { listAttachments } from './attachments.ts'
import { contentOf } from './content.ts'
import { firstLook } from './first-look.ts'
import { appendForwarded } from './forwarded.ts'
import { defaultParseLimits } from './limits.ts'
import { bytesOf, parseMail } from './parse.ts'

const envelope: Envelope = {
  mailFrom: 'a@sender.example',
  recipient: 'me@mayfly.test',
  helo: 'x',
  clientAddress: '192.0.2.1',
  tls: false,
  receivedAt: 0,
}

/** Returns the CPU time in milliseconds of the fastest of four runs. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity
  for (let i = 0; i < 4; i++) {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

const HEADER = 'Content-Type: message/rfc822\r\n\r\n'
const nestedHeaders = Buffer.from(`Subject: nested\r\n${HEADER.repeat(3900)}x\r\n`)
const base64Lines = `${Buffer.alloc(57, 7).toString('base64')}\r\n`

test.each([
  ['3,900 nested headers', nestedHeaders],
  ['1.5 MB of format=flowed', mail(['Content-Type: text/plain; format=flowed'], 'hello world \r\n'.repeat(107_000))],
  ['300,000 empty lines', mail([], ' \r\n'.repeat(300_000))],
])('parses %s in less than 200 ms', async (_name, raw) => {
  // It takes ten to a hundred times as long if each line of a part is a separate chunk.
  expect(await cost(() => parseMail(raw, defaultParseLimits))).toBeLessThan(200)
})

test.each([
  ['3,900 nested headers', nestedHeaders],
  ['1.2 million brackets', mail(['Content-Type: text/html'], `${'<'.repeat(70)}\r\n`.repeat(17_000))],
  ['100,000 links', mail(['Content-Type: text/html'], '<a href="https://a.example/x">y</a>\r\n'.repeat(100_000))],
  ['a header of 1 MB in its part', multipart(`X: ${'y '.repeat(500_000)}\r\n\r\nx`)],
])('the first look at %s ends in less than 150 ms', async (_name, raw) => {
  expect(await cost(() => firstLook(raw, envelope, defaultParseLimits))).toBeLessThan(150)
})

test('the first look lists all attachments with their sizes', async () => {
  const raw = multipart(
    'Content-Type: text/plain\r\n\r\nYour code is 482913',
    `Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines.repeat(6000)}QQ==`,
    `Content-Type: text/csv; name=b.csv\r\n\r\n${'1,2,3\r\n'.repeat(50_000)}`,
    `Content-Type: application/x; name=c.bin\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'=41=\r\n'.repeat(1000)}`,
  )
  // Without the time limit, which a busy machine may exceed.
  const time = vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 })
  const summary = await firstLook(raw, envelope, defaultParseLimits)
  time.mockRestore()
  const whole = listAttachments(await parseMail(raw, defaultParseLimits))
  expect(summary.attachments).toEqual(whole.map(({ info }) => info))
  expect(summary.attachments.map(({ size }) => size)).toEqual(whole.map(({ part }) => bytesOf(part).length))
  expect(summary).toMatchObject({ code: '482913', unreadable: false })
  expect(summary.partial).toBeUndefined()
})

test('the first look reports that it left something out', async () => {
  const inner = `Subject: inner\r\n\r\n${'x\r\n'.repeat(50_000)}`
  const raw = multipart(`Content-Type: message/rfc822\r\n\r\n${inner}`)
  expect(await firstLook(raw, envelope, defaultParseLimits)).toMatchObject({ partial: true, unreadable: false })
})

test('limits the parsing of messages forwarded within messages', async () => {
  let inner = `Subject: inner\r\n\r\n${'x'.repeat(60)}\r\n`.repeat(40_000)
  for (let i = 0; i < 4; i++) inner = `Subject: ${i}\r\n${HEADER}${inner}`
  const raw = Buffer.from(inner)
  const { text = '' } = await parseMail(raw, defaultParseLimits)
  expect(text.length).toBeLessThan(raw.length)
  const [attachment] = (await parseMail(raw, defaultParseLimits)).attachments
  expect(attachment && bytesOf(attachment).length).toBeGreaterThan(1_000_000)
})

test.each([
  '<img src="cid:logo%40x"><p style="background:url(cid:logo@x)">',
  '<img src="cid:logo&#64;x"><p style="background:url(&quot;cid:logo&commat;x&quot;)">',
  '<img src=cid&#58;logo@x><p style="background:url(&apos;cid&colon;logo@x&#x27;)">',
  '<img src="&#99;id:logo@x"><p style="background:url(C&#x0049;&#100&#X3Alogo@x)">',
])('forwarded messages show their own images, although the Content-IDs are the same: %s', async (html) => {
  const forwarded = (type: string): string =>
    `${HEADER}Content-Type: multipart/related; boundary=i${type}\r\n\r\n--i${type}\r\nContent-Type: text/html\r\n\r\n` +
    `${html}${type}</p>\r\n--i${type}\r\nContent-Type: image/${type}\r\n` +
    `Content-ID: <logo@x>\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD\r\n--i${type}--\r\n`
  const email = await parseMail(multipart(...['png', 'gif', 'webp'].map(forwarded)), defaultParseLimits)
  const images = [...(contentOf(email).html ?? '').matchAll(/data:image\/(\w+)/g)].map(([, type]) => type)
  expect(images).toEqual(['png', 'png', 'gif', 'gif', 'webp', 'webp'])
  expect(listAttachments(email).map(({ info }) => info.contentType)).toEqual(Array(3).fill('message/rfc822'))
})

test('shows an image whose URL begins with character references', async () => {
  const raw = multipart(
    'Content-Type: text/html\r\n\r\n<img src="c&#105;d&#58;x">',
    'Content-Type: image/png\r\nContent-ID: <x>\r\n\r\nA',
  )
  const email = await parseMail(raw, defaultParseLimits)
  expect(contentOf(email).html).toContain('data:image/png')
  expect(listAttachments(email)).toEqual([])
})

test('a million references to images of a forwarded message take less than a second', { tags: ['slow'] }, async () => {
  const message = (html: string): Email => ({
    headers: [],
    headerLines: [],
    text: '',
    html,
    attachments: [{ filename: null, mimeType: 'image/png', disposition: null, contentId: '<x>', content: '' }],
  })
  const html = Array.from({ length: 1_000_000 }, (_, i) => `cid:&#120;${i}`).join(' ')
  const forward = { filename: null, mimeType: 'message/rfc822', disposition: null, content: '' }
  const append = async (): Promise<void> => {
    const outer = message('')
    outer.attachments.push(forward)
    await appendForwarded(outer, async () => message(html))
    expect(outer.html).toContain('cid:&#120;999999')
  }
  expect(await cost(append)).toBeLessThan(1000)
})

const NAME = '\u4e2d\u6587\u9644\u4ef6\u8bf4\u660e\u4e66.pdf'
/** Encoded words that are split within a character. */
const words = (text: string): string => {
  const bytes = Buffer.from(text)
  return [bytes.subarray(0, 7), bytes.subarray(7)].map((part) => `=?utf-8?B?${part.toString('base64')}?=`).join('\r\n ')
}

test.each([
  ['encoded words that split a character', Buffer.from(`filename="${words(NAME)}"`), NAME],
  ['Latin 1', Buffer.from('filename="Rechnung_M\u00e4rz.pdf"', 'latin1'), 'Rechnung_M\u00e4rz.pdf'],
  ['UTF-8', Buffer.from(`filename="${NAME}"`), NAME],
  ['UTF-7', Buffer.from('filename="=?utf-7?Q?M+AOQ-rz.pdf?="'), 'M\u00e4rz.pdf'],
])('reads a file name in %s', async (_what, parameter, name) => {
  const [before, after] = multipart(
    'Content-Type: text/plain\r\n\r\nx',
    'Content-Type: application/pdf\r\nContent-Disposition: attachment; NAME\r\n\r\nx',
  )
    .toString('latin1')
    .split('NAME') as [string, string]
  const raw = Buffer.concat([Buffer.from(before, 'latin1'), parameter, Buffer.from(after, 'latin1')])
  const [file] = listAttachments(await parseMail(raw, defaultParseLimits))
  expect(file?.info.filename).toBe(name)
})

test.each([
  ['gbk', '\u62a5\u4ef7\u5355.pdf', 'b1a8bcdbb5a52e706466'],
  ['shift_jis', '\u8868.pdf', '955c2e706466'],
  ['euc-kr', '\uc548\ub155.pdf', 'bec8b3e72e706466'],
  ['windows-1251', '\u0421\u0447\u0451\u0442.pdf', 'd1f7b8f22e706466'],
])('reads a file name and a subject in %s, the charset of the text', async (charset, name, hex) => {
  const bytes = Buffer.from(hex, 'hex').toString('latin1')
  const part = (head: string) => `--b\r\n${head}\r\n\r\nx\r\n`
  const file = `Content-Type: application/pdf; name="${bytes}"`
  const raw = mail(
    [`Subject: ${bytes}`, 'Content-Type: multipart/mixed; boundary=b'],
    Buffer.from(
      part('Content-Type: application/x; charset=us-ascii') +
        part(`Content-Disposition: inline;\r\n filename="${bytes}"`) +
        part(`Content-Type: text/html;\r\n charset="${charset}"`) +
        part(file) +
        part(`Content-Type: text/csv; charset=utf-8; name="${bytes}"`) +
        part(`Content-Type: message/rfc822\r\n\r\nSubject: ${bytes}\r\nContent-Type: text/plain; charset=${charset}`),
      'latin1',
    ),
  )
  const parsed = await parseMail(raw, defaultParseLimits)
  expect(parsed.subject).toBe(name)
  const names = listAttachments(parsed).map(({ info }) => info.filename)
  expect(names).toEqual(['attachment-1.bin', name, name, name, `${name}.eml`])
})

test.each(['utf-16', 'unicode', 'ucs-2'])('never reads headers in the charset of a text in %s', async (charset) => {
  for (const name of ['caf\u00e9.pdf', 'caf\u00e9x.pdf']) {
    const head = `From: Shop <shop@b.example>\r\nSubject: Votre ${name}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`
    const text = `--b\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: base64\r\n\r\naABpAA==\r\n`
    const file = `--b\r\nContent-Type: application/pdf; name="${name}"\r\n\r\n%PDF\r\n--b--\r\n`
    const parsed = await parseMail(Buffer.from(head + text + file, 'latin1'), defaultParseLimits)
    expect(parsed).toMatchObject({ from: { name: 'Shop' }, subject: `Votre ${name}` })
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual([name])
  }
})

test.each([
  ['Content-Type: text/plain\r\nYour code is 482913\r\nCode: 482913', 'Your code is 482913\r\nCode: 482913'],
  ['Content-Type: text/plain;\r\n charset=utf-8\r\nhttps://a.example/x', 'https://a.example/x'],
  ['Content-Type: text/plain\r\ndamaged line\r\nContent-Transfer-Encoding: base64\r\nWW91cg==', 'Your'],
  ['Hello', 'Hello'],
  ['Content-Type: text/plain\r\nX-Note: 1\r\n\r\nHello', 'Hello'],
  ['Content-Type: text/plain\r\ndamaged\r\n\r\nHello', 'Hello'],
])('the text of the part %j is shown', async (part, text) => {
  const parsed = await parseMail(
    mail(['Content-Type: multipart/mixed; boundary=b'], `--b\r\n${part}\r\n--b--\r\n`),
    defaultParseLimits,
  )
  expect(parsed.text?.trimEnd().replace(/\r?\n/g, '\r\n')).toBe(text)
})

test('a part of fields alone has no text', async () => {
  const raw = mail(
    ['Content-Type: multipart/mixed; boundary=b'],
    '--b\r\nContent-Type: text/plain\r\nStatus: x\r\n--b--\r\n',
  )
  expect((await parseMail(raw, defaultParseLimits)).text?.trim() ?? '').toBe('')
})

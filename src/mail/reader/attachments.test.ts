import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { mail } from '#test/fixtures/mail/build.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { archiveOf } from './archive.ts'
import { listAttachments } from './attachments.ts'
import { calendarEventOf } from './calendar-event.ts'
import { contentOf } from './content.ts'
import { firstLook } from './first-look.ts'
import { defaultParseLimits } from './limits.ts'
import { bytesOf, parseMail } from './parse.ts'

/** A message with a text and one more part of this header section. The content is one character per byte. */
const withPart = (head: string, content: string, after = '\r\n--b--\r\n'): Buffer =>
  mail(
    ['Content-Type: multipart/mixed; boundary=b'],
    Buffer.from(`--b\r\n\r\nbody\r\n--b\r\n${head}\r\n\r\n${content}${after}`, 'latin1'),
  )

/** The bytes of the only attachment, which all ways to read it must agree on. */
async function attached(raw: Buffer): Promise<string> {
  const parsed = await parseMail(raw, defaultParseLimits)
  const [file] = listAttachments(parsed)
  if (!file) throw new Error('There is no attachment')
  const bytes = bytesOf(file.part)
  expect(file.info.size).toBe(bytes.length)
  expect((await firstLook(raw, ENVELOPE, defaultParseLimits)).attachments).toEqual([file.info])
  expect(Object.values(unzipSync(archiveOf(parsed)))).toEqual([new Uint8Array(bytes)])
  return Buffer.from(bytes).toString('latin1')
}

const CONTENTS = [
  '',
  'a',
  'a\r\nb',
  'a\r\n',
  '\r\n',
  '\r\n\r\n',
  'a\nb\n',
  'a\rb\r',
  'a\r\r\nb\r\r\n',
  '\0\xff\0\r\n\0',
  'a  \r\n\t\r\n',
  '--\r\n--a\r\n--bb\r\n--b-\r\n--b x\r\n -- b',
  '--\r\n'.repeat(1000),
]

test.each(['', '\r\nContent-Transfer-Encoding: 8bit', '\r\nContent-Transfer-Encoding: x-unknown'])(
  'an attachment is the bytes that were sent%j',
  async (encoding) => {
    const types = ['application/x', 'text/csv; charset=utf-16', 'message/rfc822', 'text/calendar; charset=iso-8859-1']
    for (const type of [
      ...types,
      'application/ics',
      'text/plain; name=a.txt',
      'text/html; charset=utf-7; name=a.htm',
    ]) {
      for (const content of CONTENTS) {
        const head = `Content-Type: ${type}${encoding}`
        expect(await attached(withPart(head, content)), JSON.stringify([type, content])).toBe(content)
        // Without a boundary after it, all bytes belong to the part.
        expect(await attached(withPart(head, content, '')), JSON.stringify([type, content])).toBe(content)
      }
    }
  },
)

test.each([
  ['a=0D=0Ab=0A=0D=00', 'a\r\nb\n\r\0'],
  ['one=\r\n two=\r\n', 'one two'],
  ['line\r\nline\r\n', 'line\r\nline\r\n'],
  ['line\nline\n', 'line\nline\n'],
  ['added  \t\r\n \r\nsent=20\r\nsent =\r\n', 'added\r\n\r\nsent \r\nsent '],
  ['soft= \t\r\nbreak=\n at the end=', 'softbreak at the end'],
  ['lone \r CR', 'lone \r CR'],
  ['invalid =zz = =A =\t=', 'invalid =zz = =A =\t'],
  [`${'='.repeat(5)}3D`, '====='],
  ['', ''],
  ['=', ''],
  ['  ', ''],
])('an attachment in quoted-printable is decoded as RFC 2045 6.7 says: %j', async (encoded, content) => {
  const head = 'Content-Type: application/x\r\nContent-Transfer-Encoding: quoted-printable'
  expect(await attached(withPart(head, encoded))).toBe(content)
})

test.each([
  ['application/octet-stream; name=logo.png', '\x89PNG\r\n\x1a\n', 'image/png'],
  ['image/pjpeg', '\xff\xd8\xff\xe0', 'image/jpeg'],
  ['image/x-png', '\x89PNG\r\n\x1a\n', 'image/png'],
  ['application/octet-stream', '<svg></svg>', undefined],
  ['image/svg+xml', '<svg></svg>', undefined],
  ['image/x-icon', '\0\0\x01\0', undefined],
])('an inline image is shown if its first bytes are those of one: %s', async (type, content, shownAs) => {
  const head = `Content-Type: text/html\r\n\r\n<img src="cid:x">\r\n--b\r\nContent-ID: <x>\r\nContent-Type: ${type}`
  const encoded = Buffer.from(content.padEnd(100, '\0'), 'latin1').toString('base64')
  const raw = withPart(`${head}\r\nContent-Transfer-Encoding: base64`, encoded)
  const parsed = await parseMail(raw, defaultParseLimits)
  const { attachments } = await firstLook(raw, ENVELOPE, defaultParseLimits)
  expect(listAttachments(parsed).map(({ info }) => info)).toEqual(attachments)
  expect(attachments).toHaveLength(shownAs === undefined ? 1 : 0)
  expect(/src="data:([^;]*)/.exec(contentOf(parsed).html ?? '')?.[1]).toBe(shownAs)
})

test('a message with line feeds only keeps them', async () => {
  const raw = withPart('Content-Type: application/x', 'a\r\n\r\nb\r\n').toString('latin1').replaceAll('\r\n', '\n')
  expect(await attached(Buffer.from(raw, 'latin1'))).toBe('a\n\nb\n')
})

test('the last part of a multipart within ends before the boundary of the one around it', async () => {
  const inner = 'Content-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\nContent-Type: application/x'
  expect(await attached(withPart(inner, 'a\r\n'))).toBe('a\r\n')
})

test('parts of 50 multiparts within each other that are never closed keep their bytes', async () => {
  const file = 'Content-Type: application/x\r\n\r\n'
  const open = (i: number) =>
    `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n${file}\r\n\0\r\n--b${i}\r\n`
  const raw = Buffer.from(`${Array.from({ length: 50 }, (_, i) => open(i)).join('')}${file}\r\n`)
  const files = listAttachments(await parseMail(raw, defaultParseLimits))
  expect(files.map(({ part }) => Buffer.from(bytesOf(part)).toString())).toEqual([...Array(50).fill('\r\n\0'), '\r\n'])
})

test('an attached message is the bytes that were sent, and shown', async () => {
  const inner = 'Subject: inner\r\nContent-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\n\r\nthe text\r\n--i--\r\n'
  const raw = withPart('Content-Type: message/rfc822', inner)
  expect(await attached(raw)).toBe(inner)
  expect(contentOf(await parseMail(raw, defaultParseLimits)).text).toContain('the text\n')
})

test('an invitation in Latin 1 is read, and its file is the bytes that were sent', async () => {
  const event = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Caf\xe9\r\nDTSTART:20260314T090000Z\r\n'
  const content = `${event}END:VEVENT\r\nEND:VCALENDAR\r\n\r\n`
  const raw = withPart('Content-Type: text/calendar; charset=iso-8859-1', content)
  expect(await attached(raw)).toBe(content)
  expect(calendarEventOf(await parseMail(raw, defaultParseLimits))?.summary).toBe('Café')
})

test.each(['7bit', 'quoted-printable'])('text to show has line feeds only: %s', async (encoding) => {
  const head = `Content-Type: text/plain\r\nContent-Transfer-Encoding: ${encoding}`
  const { text } = await parseMail(withPart(head, 'one\r\n\r\ntwo\r\n'), defaultParseLimits)
  expect(text).toBe('body\n\none\n\ntwo\n\n')
})

test.each([
  'Content-Type: multipart/mixed; boundary=never; name="a.txt"',
  'Content-Type: multipart/mixed; boundary=never\r\nContent-Disposition: inline; filename=a.txt',
  'Content-Type: multipart/mixed; boundary=never\r\nContent-Disposition: attachment; filename=a.txt',
])('a file that claims to be a multipart and has no parts is the bytes that were sent: %s', async (head) => {
  expect(await attached(withPart(head, 'a\r\nb\r\nc'))).toBe('a\r\nb\r\nc')
})

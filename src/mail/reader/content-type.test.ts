import { expect, test } from 'vitest'
import { mail, multipart } from '#test/fixtures/mail/build.ts'
import { listAttachments } from './attachments.ts'
import { contentOf } from './content.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

const CODE = 'Your verification code is 482913'

async function read(raw: Buffer): Promise<{ text: string | null; html: string | null; files: string[] }> {
  const parsed = await parseMail(raw, defaultParseLimits)
  const { text, html } = contentOf(parsed)
  return { text, html, files: listAttachments(parsed).map(({ info }) => info.filename) }
}

test.each([
  'text',
  '',
  'text/plain charset=utf-8',
  'plain/text',
  'utf-8',
  'text/plain, text/plain',
  'text/markdown; charset=utf-8',
  'text/enriched',
  'text/x-unknown',
  'multipart/mixed',
  'multipart/alternative; charset=utf-8',
  'multipart/mixed; boundary=never',
  'multipart/alternative; boundary=never; charset=utf-8',
])('shows a message with the Content-Type "%s" as text', async (type) => {
  const { text, files } = await read(mail([`Content-Type: ${type}`], CODE))
  expect([text?.trim(), files]).toEqual([CODE, []])
})

test('shows HTML whose Content-Type lacks a semicolon', async () => {
  const { html } = await read(mail(['Content-Type: text/html charset=utf-8'], `<p>${CODE}</p>`))
  expect(html).toContain(`<p>${CODE}</p>`)
})

test('reads the parameters after a missing semicolon', async () => {
  const koi8 = mail(['Content-Type: text/plain charset="koi8-r"; format=flowed'], Buffer.from([0xf1]))
  expect((await read(koi8)).text).toBe('Я\n')
  const parts = mail(
    ['Content-Type: multipart/mixed boundary=b'],
    '--b\r\n\r\nx\r\n--b\r\nContent-Type: application/pdf name="a b.pdf"\r\n\r\ny\r\n--b\r\n' +
      'Content-Disposition: attachment filename = c.txt\r\n\r\nz\r\n--b--',
  )
  expect(await read(parts)).toEqual({ text: 'x\n', html: null, files: ['a b.pdf', 'c.txt'] })
})

test('shows a multipart within whose boundary does not occur', async () => {
  const inner = (encoding: string, body: string): string =>
    `Content-Type: multipart/alternative; boundary=never; charset=utf-8\r\n${encoding}\r\n${body}`
  const raw = multipart(inner('', CODE), inner('Content-Transfer-Encoding: quoted-printable\r\n', 'Gr=C3=BC=C3=9Fe'))
  const { text, files } = await read(raw)
  expect([text, files]).toEqual([`${CODE}\n\nGrüße\n`, []])
})

test('does not show the text around the parts of a multipart', async () => {
  const inner = `Content-Type: multipart/mixed; boundary=i\r\n\r\nbefore\r\n--i\r\n\r\n${CODE}\r\n--i--\r\nafter`
  expect((await read(multipart(inner))).text?.trim()).toBe(CODE)
})

test.each([
  ['application/pdf', ''],
  ['text/calendar', ''],
  ['text/csv', ''],
  ['binary/octet-stream', ''],
  ['data/thing', 'Content-Transfer-Encoding: base64\r\n'],
  ['plain/text; name=a.txt', ''],
  ['utf-8', 'Content-Disposition: attachment\r\n'],
])('lists a part with the Content-Type "%s" as a file', async (type, headers) => {
  const { text, files } = await read(
    multipart(`Content-Type: text/plain\r\n\r\n${CODE}`, `Content-Type: ${type}\r\n${headers}\r\nQUJD`),
  )
  expect([text?.trim(), files.length]).toEqual([CODE, 1])
})

test('does not list the AMP version of a message as a file', async () => {
  const raw = mail(
    ['Content-Type: multipart/alternative; boundary=b'],
    `--b\r\nContent-Type: text/plain\r\n\r\n${CODE}\r\n--b\r\nContent-Type: text/x-amp-html\r\n\r\n<html amp4email>\r\n--b--\r\n`,
  )
  const { text, files } = await read(raw)
  expect([text?.trim(), files]).toEqual([CODE, []])
})

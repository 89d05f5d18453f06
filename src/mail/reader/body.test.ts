import { expect, test } from 'vitest'
import { mail, multipart } from '#test/fixtures/mail/build.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { listAttachments } from './attachments.ts'
import { contentOf } from './content.ts'
import { firstLook } from './first-look.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'
import { summarize } from './summarize.ts'

async function read(raw: Buffer) {
  const parsed = await parseMail(raw, defaultParseLimits)
  const summary = summarize(parsed, ENVELOPE)
  expect(await firstLook(raw, ENVELOPE, defaultParseLimits)).toEqual(summary)
  const { text, html } = contentOf(parsed)
  const files = listAttachments(parsed).map(({ info }) => info.filename)
  return { text: text?.trim() ?? null, html, files, code: summary.code, preview: summary.preview }
}

const alternative = (...parts: string[]): Buffer =>
  mail(
    ['Content-Type: multipart/alternative; boundary=b'],
    `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  )

const CODE = 'Your verification code is 123456'
const PDF = 'Content-Type: application/pdf; name=a.pdf\r\n\r\n%PDF'
const PAGE = `Content-Type: text/html\r\nContent-Disposition: inline; filename="message.html"\r\n\r\n<p>${CODE}</p>`

test.each([
  ['HTML with a name', multipart(PAGE, PDF), ['message.html', 'a.pdf']],
  ['HTML with a name after a file', multipart(PDF, PAGE), ['a.pdf', 'message.html']],
  ['an attachment', mail(['Content-Type: text/plain', 'Content-Disposition: attachment'], CODE), ['text.txt']],
  ['an attachment without type', mail(['Content-Disposition: attachment; filename=a.txt'], CODE), ['a.txt']],
  [
    'an attachment within',
    multipart(`Content-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment\r\n\r\n${CODE}`),
    ['a.txt'],
  ],
])('the only text of a message is its body and stays a file: %s', async (_what, raw, files) => {
  expect(await read(raw)).toMatchObject({ text: CODE, code: '123456', preview: CODE, files })
})

test.each([
  ['an empty text', multipart('Content-Type: text/plain\r\n\r\n', PAGE), ''],
  [
    'a forwarded message',
    multipart(PAGE, `Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nhello`),
    'Subject: inner\n\nhello',
  ],
])('a file is no body beside %s', async (_what, raw, text) => {
  expect(await read(raw)).toMatchObject({ text: text || null, code: null })
})

const HTML =
  'Content-Type: text/html\r\n\r\n<div style="display:none">Code 999999 was replaced</div><p>Your code is <b>482913</b></p>' +
  '<a href="https://x.example/verify">Confirm</a><table><tr><td>1</td><td>2</td></tr></table>'
test('a text after HTML does not change how the HTML is read', async () => {
  const { text } = await read(multipart(HTML))
  const footer = '-- \nhttps://x.example/legal\n> quoted'
  const withFooter = await read(multipart(HTML, `Content-Type: text/plain\r\n\r\n${footer.replaceAll('\n', '\r\n')}`))
  expect(withFooter.text).toBe(`${text}\n${footer}`)
  expect(withFooter.html).toMatch(/<pre>-- \n<a href="https:\/\/x\.example\/legal"[^>]*>[^]*quote-1/)
  expect((await read(multipart(HTML, 'Content-Type: text/plain\r\n\r\n\r\n'))).text).toBe(text)
})

test('a blank version does not hide the other one', async () => {
  const inner = (plain: string, html: string): string =>
    `Content-Type: multipart/alternative; boundary=i\r\n\r\n--i\r\n\r\n${plain}\r\n--i\r\nContent-Type: text/html\r\n\r\n${html}\r\n--i--`
  const footer = 'Content-Type: text/plain\r\n\r\nfooter'
  expect((await read(multipart(inner(' ', '<p>hello</p>'), footer))).text).toBe('hello\nfooter')
  expect(await read(multipart(inner('hello', ' '), footer))).toMatchObject({ text: 'hello\n\nfooter', html: null })
})

test.each([
  ['enriched', `Content-Type: text/enriched\r\n\r\n<bold>${CODE}</bold>`],
  ['markdown', `Content-Type: text/markdown; charset=utf-8\r\n\r\n# ${CODE}`],
  ['for watches', 'Content-Type: text/watch-html\r\n\r\n<b>watch</b>'],
  ['for AMP', 'Content-Type: text/x-amp-html\r\n\r\n<html amp4email>'],
  ['rich', 'Content-Type: text/rtf\r\n\r\n{\\rtf1 x}'],
])('a version %s is left out beside plain text', async (_what, version) => {
  const plain = `Content-Type: text/plain\r\n\r\n${CODE}`
  for (const parts of [
    [plain, version],
    [version, plain],
  ]) {
    expect(await read(alternative(...parts))).toMatchObject({ text: CODE, html: null, files: [] })
  }
})

test('the last of two versions of one type is shown', async () => {
  const html = (text: string): string => `Content-Type: text/html\r\n\r\n<p>${text}</p>`
  expect(await read(alternative(html('old'), html('new')))).toMatchObject({
    text: 'new',
    html: expect.not.stringContaining('old'),
  })
  expect((await read(alternative('\r\nold', html('h'), '\r\nnew'))).text).toBe('new')
  expect((await read(alternative(html('old'), 'Content-Type: text/html\r\n\r\n\r\n'))).text).toBe('old')
})

test('what is the only version stays', async () => {
  expect((await read(alternative('Content-Type: text/rtf\r\n\r\n{\\rtf1 x}'))).files).toHaveLength(1)
  expect((await read(alternative('Content-Type: text/markdown\r\n\r\n# Hello'))).text).toBe('# Hello')
})

test('named texts and calendars of an alternative stay files', async () => {
  const raw = alternative(
    '\r\nhello',
    'Content-Type: text/csv; name=a.csv\r\n\r\n1,2',
    'Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR',
  )
  expect((await read(raw)).files).toEqual(['a.csv', 'invite.ics'])
})

test('the message that a receipt returns is not its content', async () => {
  const raw = multipart(
    'Content-Type: text/html\r\n\r\n<p>Your message was read</p>',
    'Content-Type: message/disposition-notification\r\n\r\nDisposition: manual-action/MDN-sent-manually; displayed',
    `Content-Type: message/rfc822\r\n\r\nSubject: original\r\n\r\n${CODE}`,
  )
  expect(await read(raw)).toMatchObject({
    text: 'Your message was read',
    code: null,
    files: ['disposition-notification.txt', 'original.eml'],
  })
})

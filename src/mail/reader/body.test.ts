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
  expect(withFooter.html).toMatch(
    /<pre dir="auto" style="font:inherit;white-space:pre-wrap;overflow-wrap:anywhere">-- \n<a dir="ltr" href="https:\/\/x\.example\/legal"[^>]*>[^]*quote-1/,
  )
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
])('a version %s is left out beside plain text', async (_what, version) => {
  const plain = `Content-Type: text/plain\r\n\r\n${CODE}`
  for (const parts of [
    [plain, version],
    [version, plain],
  ]) {
    expect(await read(alternative(...parts))).toMatchObject({ text: CODE, html: null, files: [] })
  }
})

const page = (html: string): string => `Content-Type: text/html\r\n\r\n${html}`
test.each([
  ['named text', ['', CODE], ['Content-Type: text/plain; name=terms.txt', 'terms']],
  ['inline file', ['', CODE], ['Content-Disposition: inline; filename=t.txt', 'terms']],
  ['blank text', ['', CODE], ['', '\n \n\n']],
  ['page', ['Content-Type: text/html', `<p>${CODE}</p>`], ['Content-Type: text/html', '<p>footer']],
  ['pixel', ['Content-Type: text/html', CODE], ['Content-Type: text/html', '<img src=//x width=1 height=1>']],
])('a further %s of an alternative does not replace the first text', async (_what, ...parts) => {
  const raw = alternative(...parts.map(([type, body]) => `${type}${type ? '\r\n' : ''}\r\n${body}`))
  expect(await read(raw)).toMatchObject({ text: expect.stringContaining(CODE), code: '123456' })
})

test('files of an alternative stay files', async () => {
  const types = ['csv', 'vcard', 'xml', 'rtf'].map((type) => `Content-Type: text/${type}\r\n\r\nx`)
  expect((await read(alternative(`\r\n${CODE}`, ...types))).files).toHaveLength(4)
})

test.each([
  ['alternative', (plain: string, html: string) => alternative(plain, html)],
  [
    'alternative before a footer',
    (plain: string, html: string) =>
      multipart(
        `Content-Type: multipart/alternative; boundary=i\r\n\r\n--i\r\n${plain}\r\n--i\r\n${html}\r\n--i--`,
        '\r\nfooter',
      ),
  ],
])('the first look reads the HTML after a long text of an %s', async (_what, make) => {
  const raw = make(
    `\r\n${'news '.repeat(56_000)}`,
    page('<a href="https://x.example/confirm?t=1">Confirm your email</a>'),
  )
  expect((await firstLook(raw, ENVELOPE, defaultParseLimits)).link).toBe('https://x.example/confirm?t=1')
  await read(raw)
})

test('only as much of a long text is converted to HTML as is shown', async () => {
  const raw = multipart(`\r\n${'news '.repeat(300_000)}`, page('<b>x</b>'))
  const parsed = await parseMail(raw, defaultParseLimits)
  expect(parsed.html?.length).toBeLessThan(1_001_000)
  expect(contentOf(parsed).truncated).toBe(true)
})

test('HTML that is nested too deep is readable beside other text', async () => {
  const raw = multipart(page(`<style>p{}</style>${'<div>'.repeat(2100)}${CODE} &amp; more`), '\r\nfooter')
  expect(await read(raw)).toMatchObject({
    text: expect.stringMatching(/^Your verif[^]*& more\s*footer$/),
    code: '123456',
  })
})

test('a file does not replace an invitation', async () => {
  const event = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Meeting\r\nEND:VEVENT\r\nEND:VCALENDAR'
  const notes = `Content-Type: text/plain\r\nContent-Disposition: attachment; filename=notes.txt\r\n\r\n${CODE}`
  const raw = multipart(`Content-Type: text/calendar; method=REQUEST\r\n\r\n${event}`, notes)
  expect(await read(raw)).toMatchObject({ text: 'Meeting', files: ['invite.ics', 'notes.txt'] })
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

import { describe, expect, test } from 'vitest'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { toUtf8 } from '../bytes.ts'
import { contentOf, mailFrameOf } from './content.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'
import { summarize } from './summarize.ts'

const parse = (raw: string) => parseMail(new TextEncoder().encode(raw), defaultParseLimits)
const htmlMail = (html: string) => parse(`Content-Type: text/html; charset=utf-8\n\n${html}`)

test('the frame has the direction of the message', async () => {
  const mail = await htmlMail('<html dir="rtl" lang="he"><body><p><b>Wix</b></p><p>שלום</p></body></html>')
  expect(toUtf8(mailFrameOf(mail, 'html'))).toMatch(/<html dir="rtl">.*<body><div dir="rtl" lang="he"><div>/s)
  expect(contentOf(mail).dir).toBe('rtl')
})

describe('HTML beside a text', () => {
  const both = (html: string, text = 'Your code is 551122') =>
    parse(
      `Content-Type: multipart/alternative; boundary=b\n\n--b\n\n${text}\n--b\nContent-Type: text/html; charset=utf-8\n\n${html}\n--b--\n`,
    )

  test.each([
    '<html><body><br></body></html>',
    '<div>&nbsp;</div>',
    '<html dir="rtl"><style>p{color:red}</style><p></p>&#8203;</html>',
    '<img src="https://t.example/o.gif" width="1" height="1">',
    '<img src="cid:missing"><img alt="">',
    '<map><area href="https://a.example/" alt="x"></map>',
  ])('is not shown if it shows nothing: %s', async (html) => {
    const mail = await both(html)
    const content = contentOf(mail)
    expect(content).toMatchObject({ html: null, htmlOriginal: `${html}\n`, text: 'Your code is 551122\n', dir: 'auto' })
    expect(toUtf8(mailFrameOf(mail, 'html'))).toContain('Your code is 551122')
    expect(contentOf(await both(html, ' ')).html).not.toBeNull()
  })

  test.each([
    '<p>x</p>',
    '<img src="https://a.example/x.png">',
    '<img alt="Your code is 482913">',
    '<p style="display:none">x</p>',
    '<table background="https://a.example/x.png"></table>',
  ])('is shown if it shows something: %s', async (html) => {
    expect(contentOf(await both(html)).html).not.toBeNull()
  })
})

describe('HTML that is nested too deep', () => {
  const deep = '<x>'.repeat(3000)
  const alternatives = (text: string): string =>
    `Content-Type: multipart/alternative; boundary=b\n\n--b\n\n${text}\n--b\nContent-Type: text/html\n\n${deep}\n--b--\n`

  test('is not shown, but the text is', async () => {
    const mail = await parse(`Subject: Hello\n${alternatives('Your code is 551122')}`)
    const content = contentOf(mail)
    expect(content).toMatchObject({ html: null, htmlOriginal: `${deep}\n`, text: 'Your code is 551122\n' })
    expect(content.headers).toContainEqual({ name: 'Subject', value: 'Hello' })
    for (const view of ['html', 'text'] as const)
      expect(toUtf8(mailFrameOf(mail, view))).toContain('Your code is 551122')
  })

  test('without a text leaves the headers and the HTML as it was sent', async () => {
    const mail = await htmlMail(deep)
    expect(contentOf(mail)).toMatchObject({
      html: null,
      htmlOriginal: `${deep}\n`,
      text: null,
      headers: [expect.anything()],
    })
    expect(toUtf8(mailFrameOf(mail, 'html'))).toContain('<body>')
    expect(summarize(mail, ENVELOPE)).toMatchObject({ unreadable: false, preview: '' })
  })

  test('leaves the text of a message around it, and of one within it', async () => {
    const inner = await parse(
      `Content-Type: multipart/mixed; boundary=a\n\n--a\n\nouter\n--a\nContent-Type: message/rfc822\n\nContent-Type: text/html\n\n${deep}\n--a--\n`,
    )
    expect(contentOf(inner)).toMatchObject({ html: null, text: expect.stringContaining('outer') })
    const outer = await parse(
      `Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: text/html\n\n${deep}\n--a\nContent-Type: message/rfc822\n\nSubject: x\n\ninner\n--a--\n`,
    )
    expect(contentOf(outer)).toMatchObject({ html: null, text: expect.stringContaining('inner') })
  })
})

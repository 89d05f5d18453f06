import { describe, expect, test } from 'vitest'
import { toUtf8 } from '../bytes.ts'
import { contentOf, mailFrameOf } from './content.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

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

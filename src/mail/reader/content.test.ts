import { describe, expect, test } from 'vitest'
import { HEADERS_SHOWN } from '#core/mailbox/message.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { toUtf8 } from '../bytes.ts'
import { contentOf, mailFrameOf, outlineOf } from './content.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'
import { summarize } from './summarize.ts'

const parse = (raw: string) => parseMail(new TextEncoder().encode(raw), defaultParseLimits)
const htmlMail = (html: string) => parse(`Content-Type: text/html; charset=utf-8\n\n${html}`)

test('the page of a message gets so many headers that it knows whether there are more than it shows', async () => {
  const counts = async (headers: number) => {
    const content = contentOf(await parse(`${'X: y\n'.repeat(headers)}\nText`))
    return [content.headers.length, outlineOf(content).headers.length]
  }
  expect(await counts(HEADERS_SHOWN)).toEqual([HEADERS_SHOWN, HEADERS_SHOWN])
  expect(await counts(HEADERS_SHOWN + 9)).toEqual([HEADERS_SHOWN + 9, HEADERS_SHOWN + 1])
})

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

describe('HTML with large embedded images', () => {
  const image = (bytes: number): string => `data:image/png;base64,${'A'.repeat(Math.ceil(bytes / 3) * 4)}`

  test.each([
    ['one image', `<img src="${image(780_000)}" alt="Acme">`, 1],
    ['several images', `<p><img src='${image(300_000)}'></p>`.repeat(4), 4],
    ['a font', `<style>@font-face{font-family:x;src:url(${image(900_000)})}b{color:red}</style>`, 0],
    ['comments and scripts', `<!--${'x'.repeat(600_000)}--><script>${'x'.repeat(600_000)}</script>`, 0],
  ])('is shown with what follows: %s', async (_name, large, images) => {
    const mail = await htmlMail(
      `<html><body>${large}<p>Your code is <b>482913</b></p><a href="https://acme.example/verify">Confirm</a></body></html>`,
    )
    const { html, truncated, links } = contentOf(mail)
    expect(html?.match(/ src="data:image\/png;base64,A{100}/g)?.length ?? 0).toBe(images)
    expect(html).toContain('<b>482913</b>')
    expect(links.map(({ text }) => text)).toEqual(['Confirm'])
    expect(truncated).toBe(false)
    expect(toUtf8(mailFrameOf(mail, 'html'))).toContain('<b>482913</b>')
  })

  test.each(['', '!'])('reads none of them again for each reference, valid or not: %j', async (end) => {
    const mail = await htmlMail(`<img src="${image(7_000_000)}${end}">${'<img src="data:#0">'.repeat(50_000)}`)
    let html: string | null = null
    expect(cpuTime(() => void ({ html } = contentOf(mail)))).toBeLessThan(5000)
    expect((html ?? '').length).toBeLessThan(12_000_000)
  })

  test('leaves out the one that is too large, says so and shows the others', async () => {
    const mail = await htmlMail(`<img src="${image(7_600_000)}">${`<img src="${image(3000)}">`.repeat(3)}<p>x</p>`)
    const { html, truncated } = contentOf(mail)
    expect(html?.match(/ src="data:/g)).toHaveLength(3)
    expect(truncated).toBe(true)
  })

  test('is shown as text if the beginning shows nothing', async () => {
    const mail = await htmlMail(`<p title="${'x'.repeat(1_100_000)}">Your code is 482913</p>`)
    expect(contentOf(mail)).toMatchObject({ html: null, text: 'Your code is 482913', truncated: true })
    expect(toUtf8(mailFrameOf(mail, 'html'))).toContain('Your code is 482913')
  })

  test('shows the inline images after them', async () => {
    const mail = await parse(
      `Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src="${image(800_000)}"><img src="cid:x">\n--b\nContent-Type: image/png\nContent-ID: <x>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--b--\n`,
    )
    expect(contentOf(mail).html).toContain('<img src="data:image/png;base64,iVBORw0KGgo=" />')
    expect(summarize(mail, ENVELOPE).attachments).toEqual([])
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

import { describe, expect, test } from 'vitest'
import { fromUtf8 } from '../bytes.ts'
import { defaultParseLimits } from '../reader/limits.ts'
import { parseMail } from '../reader/parse.ts'
import { inspect } from './inspect.ts'

const B = 'b1'
const part = (type: string, content: string): string =>
  `--${B}\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${content}\r\n`
const mail = async (text: string | null, html: string | null, headers = '') => {
  const parts = (text === null ? '' : part('text/plain', text)) + (html === null ? '' : part('text/html', html))
  const raw = `${headers}Content-Type: multipart/alternative; boundary=${B}\r\n\r\n${parts}--${B}--\r\n`
  return inspect(await parseMail(fromUtf8(raw), defaultParseLimits, defaultParseLimits.maxForwards))
}

describe('the text part', () => {
  test.each([
    ['Your code is 482913', '<p>Your code is <b>482913</b></p>', 1],
    ['Ihr Code', '<p>Ihr Code lautet so</p>', 0.5],
    ['See the HTML', '<p>Invoice for November</p>', 0],
    // No spaces, and other line breaks.
    ['您的验证码\n是一二三四', '<p>您的验证码是</p><p>一二三四</p>', 1],
    ['รหัสของ\nคุณคือ', '<p>รหัสของคุณคือ</p>', 1],
    ['कोड यह है', '<p>कोड यह</p>', 1],
    ['की', '<p>का</p>', 0],
    // Characters that are not shown, and marks that are characters of their own.
    ['Rechnungsnummer', '<p>Rechnungs&shy;nummer</p>', 1],
    ['Rechnungsnummer', '<p>&#65279;Rechnungs&#8203;num&zwnj;mer&#847;</p>', 1],
    ['Caf\u00e9', '<p>Cafe\u0301</p>', 1],
    ['STRASSE', '<p>Straße</p>', 1],
  ])('%j is like %s: %d', async (text, html, similarity) =>
    expect((await mail(text, html)).text).toEqual({ present: true, empty: false, similarity }),
  )

  test.each([
    [null, '<p>x</p>', { present: false, empty: true, similarity: null }],
    ['  ', '<p>x</p>', { present: true, empty: true, similarity: null }],
    ['x', null, { present: true, empty: false, similarity: null }],
    ['x', '<img src="a">', { present: true, empty: false, similarity: null }],
  ])('%j beside %s', async (text, html, expected) => expect((await mail(text, html)).text).toEqual(expected))
})

describe('links', () => {
  const roles = async (html: string, headers = '') =>
    (await mail(null, html, headers)).links.map(({ url, role }) => [url, role])

  test.each([
    ['https://a.example/unsubscribe?u=1', 'Stop', 'unsubscribe'],
    ['https://a.example/opt-out/1', 'Stop', 'unsubscribe'],
    ['https://a.example/1', 'Newsletter abbestellen', 'unsubscribe'],
    ['https://a.example/1', '退订', 'unsubscribe'],
    ['https://a.example/1', 'إلغاء الاشتراك', 'unsubscribe'],
    ['https://a.example/subscribe', 'Subscribe', null],
    ['https://a.example/privacy', 'Privacy', null],
  ])('%s with the text %s: %s', async (url, text, role) =>
    expect(await roles(`<a href="${url}">${text}</a>`)).toEqual([[url, role]]),
  )

  test('of List-Unsubscribe are links to unsubscribe', async () =>
    expect(
      await roles('<a href="https://a.example/x">Here</a>', 'List-Unsubscribe: <https://a.example/x>\r\n'),
    ).toEqual([['https://a.example/x', 'unsubscribe']]))

  test.each([
    ['\r\n  https://a.example/confirm?token=1\r\n', 'https://a.example/confirm?token=1'],
    ['ht\ntps://a.example/a\tb', 'https://a.example/ab'],
    ['//a.example/rel', 'https://a.example/rel'],
    [' HTTP://A.example ', 'http://a.example/'],
    ['https://a.example/a b', 'https://a.example/a%20b'],
  ])('%j leads to %s, as in browsers', async (href, url) =>
    expect(await roles(`<a href="${href}">x</a>`)).toEqual([[url, null]]),
  )

  test('that are no web links are left out', async () =>
    expect(await roles('<a href="javascript:alert(1)">b</a><a href="/x">c</a><a>d</a>')).toEqual([]))

  test('that are too long are counted and not listed', async () => {
    const long = (length: number): string => `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`
    const html = [2048, 2049, 5000].map((length) => `<a href="${long(length)}">a</a>`).join('')
    const { links, linkCount } = await mail(long(6000), html)
    expect(links.map(({ url }) => url)).toEqual([long(2048)])
    expect(linkCount).toBe(4)
  })

  test('of HTML that is nested too deep are those of the text', async () => {
    const { links, html, text } = await mail(
      'https://a.example/1',
      `${'<div>'.repeat(50_000)}<a href="https://b.example/">`,
    )
    expect(links.map(({ url }) => url)).toEqual(['https://a.example/1'])
    expect([html?.truncated, text.similarity]).toEqual([true, null])
  })
})

test('reads domain and selector of signatures, at most 20', async () => {
  const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=A.example;\r\n s=k1; h=from; b=x\r\n'
  const { signatures } = await mail('x', null, signature.repeat(30))
  expect(signatures).toHaveLength(20)
  expect(signatures[0]).toEqual({ domain: 'a.example', selector: 'k1' })
})

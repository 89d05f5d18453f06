import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { linksOf, markLinks } from './links.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const link = (href: string, text: string): string => `<a href="${href}" target="_blank">${text}</a>`
const namedIn = (href: string, text: string) => linksOf(link(href, text), null)[0]?.named

describe('the text of a link', () => {
  test.each([
    ['https://evil.example.net/login', 'https://www.paypal.com/login', 'www.paypal.com'],
    ['https://evil.example.net/', 'paypal.com', 'paypal.com'],
    ['https://evil.example.net/', '<b>pay</b>pal.com/<i>login</i>', 'paypal.com'],
    ['https://paypal.com@evil.com/', 'https://paypal.com@evil.com/', 'paypal.com'],
    ['https://evil.com/', 'Go to www.paypal.com now', 'www.paypal.com'],
    ['https://evil.com/', '<img alt="https://bank.de">', 'bank.de'],
    ['https://evil.com/', 'HTTPS://PAYPAL.COM', 'paypal.com'],
    ['https://one.github.io/', 'https://two.github.io', 'two.github.io'],
    ['https://evil.com/', 'https://paypal.com<p>x</p>', 'paypal.com'],
    ['https://evil.com/', 'https://www.bank.com<br>Log in', 'www.bank.com'],
    ['https://evil.com/', 'https://bank.com<span style="display:block">Log in</span>', 'bank.com'],
    ['https://evil.com/', '<span style="display:none">https://evil.com</span> https://paypal.com', 'paypal.com'],
    ['https://evil.com/', 'https://pay<i style="display:none">x y</i>pal.com now', 'paypal.com'],
    ['https://evil.com/', 'https://evil.com https://paypal.com', 'paypal.com'],
    ['https://evil.com/', '<span style="max-height:0">https://paypal.com</span>', 'paypal.com'],
    ['https://evil.com/', '<i class="a">https://paypal.com</i><i class="b">.evil.com</i>', 'paypal.com'],
    ['https://evil.com/', `<i style="display:none">${'x '.repeat(300)}</i>https://paypal.com`, 'paypal.com'],
    ['https://evil.com/', `${'x '.repeat(300)}https://paypal.com`, 'paypal.com'],
    ['https://evil.com/', 'https://pay&shy;pal.com now', 'paypal.com'],
    ['https://evil.com/', 'https&#x200b;://pay&#x2060;pal&#xfeff;.com now', 'paypal.com'],
    ['https://evil.com/', 'www．ｐａｙｐａｌ．com now', 'www.paypal.com'],
    ['https://evil.com/', 'https://paypal.com<a href="#x"></a>', 'paypal.com'],
  ])('of %s names another host: %s', (href, text, named) => expect(namedIn(href, text)).toBe(named))

  test.each([
    ['https://www.paypal.com/login', 'paypal.com'],
    ['https://click.mail.shop.co.uk/x', 'www.shop.co.uk'],
    ['https://evil.com/', 'Confirm'],
    ['https://nodejs.org/', 'Written in Node.js'],
    ['https://github.com/a/b', 'see main.rs for more'],
    ['https://evil.com/', 'ann@paypal.com'],
    ['https://evil.com/', 'Version 1.2.3'],
    ['https://evil.com/', 'report.pdf'],
    ['https://evil.com/', '<p>Booking.com</p><p>Your trip</p>'],
    ['https://github.com/a', 'see <code>main.rs</code> for more'],
    ['https://www.shop.co.uk/', 'www.<b>shop</b>.co<wbr>.uk'],
    ['https://www.shop.co.uk/', '<bdi>www.shop.co.uk</bdi>'],
    [
      'https://www.shop.co.uk/',
      '\u05e9\u05dc\u05d5\u05dd <span dir="ltr">www.shop.co.uk</span> \u05e9\u05dc\u05d5\u05dd',
    ],
    ['https://github.com/a', '<code>org.apache.commons</code>'],
    ['https://ar.wikipedia.org/', 'https://ar.wikipedia.org/wiki/\u0645\u0635\u0631_2011'],
    ['https://in.shop.com/', 'in.shop.com/\u05de\u05d1\u05e6\u05e2/2024'],
    ['https://ar.example.com/', '<span dir="ltr">ar</span><span dir="ltr">.example.com</span>'],
    ['https://www.shop.co.uk/x', 'Open https://www.shop.co.uk/x in <i>the app</i> of shop.co.uk'],
  ])('of %s names no other host: %s', (href, text) => expect(namedIn(href, text)).toBeNull())
})

test('lists web links with text and host, from the text if there is no HTML', () => {
  expect(linksOf(link('https://a.example/x', ' Click\n here ') + link('mailto:a@b.example', 'write'), 'x')).toEqual([
    { url: 'https://a.example/x', text: 'Click here', host: 'a.example', named: null },
  ])
  expect(linksOf(null, 'See https://a.example/y, please.').map(({ url }) => url)).toEqual(['https://a.example/y'])
})

test('lists the links of image maps with their alternative text', () => {
  const { html } = sanitizeMailHtml(
    '<img usemap="#M"><map name="M"><area href="https://a.example/x" alt=" Confirm&#10;now "><area href="javascript:x"></map>',
  )
  expect(linksOf(html, null)).toEqual([
    { url: 'https://a.example/x', text: 'Confirm now', host: 'a.example', named: null },
  ])
})

test('lists at most 200 links, and before others those whose text names another host', () => {
  const links = linksOf(link('https://a.example/', 'x').repeat(300) + link('https://evil.com/', 'paypal.com'), null)
  expect(links).toHaveLength(200)
  expect(links.map(({ named }) => named).filter(Boolean)).toEqual(['paypal.com'])
  expect(links.at(-1)?.named).toBe('paypal.com')
})

test('lists the visible text of a link, its first 200 characters', () => {
  const [listed] = linksOf(
    link('https://a.example/', `<i style="display:none">no</i><p>See</p>${'x'.repeat(300)}`),
    null,
  )
  expect(listed?.text).toBe(`See ${'x'.repeat(196)}`)
})

test.each([
  ['https://a.example ', 1],
  ['https://www.a.com ', 1],
  ['www.b.evil.com ', 1],
  ['https://x.y.', 1],
  ['a.', 1],
  ['\ufdfa', 1],
  ['a\u05d0', 1],
  ['.&rlm;', 1],
  ['<b>a.com</b>', 1],
  ['</a><a href="https://evil.com">', 1],
  ['<a href=x>', 0],
])('a link of nothing but %j takes linear time', { tags: ['slow'] }, (unit, closes) => {
  const html = `<a href="https://evil.com/">${unit.repeat(1_000_000 / unit.length)}${closes ? '</a>' : ''}`
  expect(cpuTime(() => linksOf(html, null))).toBeLessThan(1500)
})

describe('the mark after a link', () => {
  test('shows the real host and cannot be hidden by styles of the message', () => {
    const html = `<style>bdi{display:none!important}</style><p>${link('https://evil.com/', 'paypal.com')} rest</p>`
    const marked = markLinks(html)
    expect(marked).toMatch(
      /<\/a><wbr><bdi dir="ltr" style="all:initial!important;direction:ltr!important;[^"]*">evil\.com<\/bdi> rest<\/p>$/,
    )
    expect(marked.replace(/<wbr><bdi dir.*?<\/bdi>/, '')).toBe(html)
  })
  test('is after an area of an image map', () =>
    expect(markLinks('<map name="mail-M"><area href="https://evil.com/" alt="paypal.com" /></map>')).toMatch(
      /^<map name="mail-M"><area [^>]*><wbr><bdi [^>]*>evil\.com<\/bdi><\/map>$/,
    ))
  test('is left out where text and link agree', () => {
    const html = `<p>${link('https://evil.com/', 'here')}</p>`
    expect(markLinks(html)).toBe(html)
  })
})

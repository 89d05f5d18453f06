import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { fitHtml, withoutBulk } from './without-bulk.ts'

const long = 'A'.repeat(1000)

test.each([
  ['<p>a</p>', '<p>a</p>'],
  ['', ''],
  ['a<!-- x <p>y</p> -->b', 'ab'],
  ['a<!-->b', 'ab'],
  ['<!--[if !mso]><!--><p>a</p><!--<![endif]-->', '<p>a</p>'],
  ['<!--[if mso]><p>b</p><![endif]--><p>a</p>', '<p>a</p>'],
  ['<p>a</p><!-- never ends', '<p>a</p>'],
  ['<STYLE type="text/css">.a{}</Style >b', 'b'],
  ['<style>.a{}', ''],
  ['<script>if (a <b) x("</style>")</script>c', 'c'],
  ['<styled>a</styled>', '<styled>a</styled>'],
  [`<img src="data:image/png;base64,${long}\r\n${long}" alt="x">`, '<img src="data:" alt="x">'],
  [`<img src='DATA:font/woff;base64,${long}"'>`, "<img src='DATA:'>"],
  [`<img src=data:image/gif;base64,${long}>b`, '<img src=data:>b'],
  [`url(data:image/gif;base64,${long})b`, 'url(data:)b'],
  [`<img src="data:image/png;base64,${long}\r\n never ends`, '<img src="data:'],
  [`"data:${long} never ends`, `"data:${long} never ends`],
  ['<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA">'],
  ['Your data: 482913', 'Your data: 482913'],
])('keeps what is shown of %s', (html, shown) => expect(withoutBulk(html)).toBe(shown))

test.each([
  '<!--',
  '<!-->',
  '<style>',
  '<style></style',
  '<script>',
  '"data:',
  "'data:",
  'data:',
  `data:${long}"`,
  '</style>',
])('takes linear time: %s', (part) => {
  const html = part.repeat(1_000_000 / part.length)
  expect(cpuTime(() => withoutBulk(html))).toBeLessThan(1000)
  expect(cpuTime(() => fitHtml(html, 100_000))).toBeLessThan(1000)
})

const png = `data:image/png;base64,${long}`

test.each([
  [`<img src="${png}"><p>a</p>`, '<img src="data:#0"><p>a</p>', [png]],
  [`<img src='${png}'><img src=${png}x>b`, "<img src='data:#0'><img src=data:#1>b", [png, `${png}x`]],
  [`<img src="data:image/png;base64,${long}&#13;&#10;">`, '<img src="data:#0">', [`${png}\r\n`]],
  [`<style>a{src:url(${png})}<!-- b{top:0} --></style>c`, '<style>a{src:url(data:)}<!-- b{top:0} --></style>c', []],
  [`a<!-- ${long} --><script>${long}</script>b`, 'ab', []],
  [`<p>abc</p><img alt="${long}">`, '<p>abc</p>', []],
  [`abc < ${long}`, `abc < ${long}`.slice(0, 200), []],
])('makes room for what is shown of %s', (html, shown, data) => {
  const fitted = fitHtml(html, 200)
  expect(fitted).toEqual({
    html: shown,
    data: new Map(data.map((url, i) => [`data:#${i}`, url])),
    cut: !/b$|#0|c$/.test(shown),
  })
})

test('leaves HTML as it is if it fits', () => {
  const html = `<!-- x --><img src="${png}">`
  expect(fitHtml(html, html.length)).toEqual({ html, data: new Map(), cut: false })
})

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
  ['<STYLE type="text/css">.a{}</Style >b', '<STYLE type="text/css"></Style >b'],
  ['<style>.a{}', '<style>'],
  ['<script>if (a <b) x("</style>")</script >c', '<script></script >c'],
  // As the parser reads them.
  ['<p title="a <!-- b">c</p><a href="https://x.example/?q=<script >">d</a>', undefined],
  ['<title>a <!-- b</title>c<!-- d --!>e', '<title>a <!-- b</title>ce'],
  ['<script>a</script foo>b<svg><script/></svg>c', '<script></script foo>b<svg><script/></svg>c'],
  [`<p>"data:x/ ${long} it's</p>`, undefined],
  [
    `<img ALT="&amp;" src="data:image/png;base64,${long}" title="a&quot;">`,
    '<img ALT="&amp;" src="data:" title="a&quot;">',
  ],
  ['<styled>a</styled>', '<styled>a</styled>'],
  [`<img src="data:image/png;base64,${long}\r\n${long}" alt="x">`, '<img src="data:" alt="x">'],
  [`<img src='DATA:font/woff;base64,${long}"'>`, '<img src="data:">'],
  [`<img src=data:image/gif;base64,${long}>b`, '<img src="data:">b'],
  [
    `<p style="background:url(&quot;data:image/gif;base64,${long}&quot;);top:0">b`,
    '<p style="background:url(&quot;data:&quot;);top:0">b',
  ],
  [`<p>a</p><img src="data:image/png;base64,${long}\r\n never ends`, '<p>a</p><img '],
  [`${'<b>'.repeat(2001)}<!-- x -->`, undefined],
  [`"data:${long} never ends`, undefined],
  ['<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA">'],
  ['Your data: 482913', 'Your data: 482913'],
])('keeps what is shown of %s', (html, shown) => expect(withoutBulk(html)).toBe(shown ?? html))

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
  `<p a="data:x/${long}">`,
  '<p style="data:x/',
  `<p style="${'data:x/'.repeat(100)}">`,
  '<p>',
  '</style>',
])('takes linear time: %s', (part) => {
  const html = part.repeat(1_000_000 / part.length)
  expect(cpuTime(() => withoutBulk(html))).toBeLessThan(1000)
  expect(cpuTime(() => fitHtml(html, 100_000))).toBeLessThan(1000)
})

const png = `data:image/png;base64,${long}`

test.each([
  [`<img src="${png}"><p>a</p>`, '<img src="data:#0"><p>a</p>', [png]],
  [`<img src='${png}'><img src=${png}x>b`, '<img src="data:#0"><img src="data:#1">b', [png, `${png}x`]],
  [`<img src="data:image/png;base64,${long}&#13;&#10;">`, '<img src="data:#0">', [png]],
  [`<img src="DATA${png.slice(4)}">`, '<img src="data:#0">', [`DATA${png.slice(4)}`]],
  [`<img srcset="${png} 1x">`, '<img srcset="data:#0">', [png]],
  [
    `<style>td.data:hover{${'top:0;'.repeat(100)}}</style>c`,
    `<style>td.data:hover{${'top:0;'.repeat(100)}`.slice(0, 200),
    [],
  ],
  [`<style>a{src:url(${png})}<!-- b{top:0} --></style>c`, '<style>a{src:url(data:)}<!-- b{top:0} --></style>c', []],
  [`a<!-- ${long} --><script>${long}</script>b`, 'a<script></script>b', []],
  [`abc < ${long}`, `abc < ${long}`.slice(0, 200), []],
])('makes room for what is shown of %s', (html, shown, data) => {
  const fitted = fitHtml(html, 200)
  expect(fitted).toEqual({
    html: shown,
    data: new Map(data.map((url, i) => [`data:#${i}`, url])),
    cut: shown.length === 200,
  })
})

test('leaves HTML as it is if it fits', () => {
  const html = `<!-- x --><img src="${png}">`
  expect(fitHtml(html, html.length)).toEqual({ html, data: new Map(), cut: false })
})

import { expect, test } from 'vitest'
import { withoutBulk } from './without-bulk.ts'

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
  const started = performance.now()
  withoutBulk(part.repeat(1_000_000 / part.length))
  expect(performance.now() - started).toBeLessThan(1000)
})

import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { linksOf } from './links.ts'
import { sanitizeMailHtml } from './sanitize.ts'
import { isPixel, isTrackingLink, trackerReport } from './trackers.ts'

describe('an image', () => {
  test.each([
    [{ width: '1', height: '1' }],
    [{ width: '0', height: '0' }],
    [{ style: 'width:1px;height:1px' }],
    [{ width: '1', style: 'height: 1px!important' }],
    [{ style: 'max-height:0;max-width:0' }],
  ])('%o is a pixel', (attributes) => expect(isPixel(attributes)).toBe(true))
  test.each([[{}], [{ width: '1', height: '400' }], [{ width: '600', height: '2' }], [{ width: '10', height: '10' }]])(
    '%o is not a pixel',
    (attributes) => expect(isPixel(attributes)).toBe(false),
  )
})

test.each([
  ['https://click.shop.example/x?u=1', true],
  ['https://u123.ct.sendgrid.net/ls/click?upn=x', true],
  ['https://shop.example/ls/click?upn=x', true],
  ['https://links.shop.example/a', true],
  ['https://shop.list-manage.com/track/click?u=1', true],
  ['https://shop.example/account', false],
  ['https://mailchimp.com/', false],
  ['https://clickhouse.example/docs', false],
])('%s is a tracking link: %s', (url, tracks) => expect(isTrackingLink({ url, host: new URL(url).host })).toBe(tracks))

test('reports images, pixels and links by host, each URL once', () => {
  const html = `
    <img src="https://img.shop.example/a.png"><img src="https://img.shop.example/a.png">
    <img src="https://open.sendgrid.net/o?u=1" width="1" height="1">
    <div style="background:url(https://img.shop.example/b.png)">x</div>
    <img src="data:image/gif;base64,R0lGOD">
    <a href="https://u1.ct.sendgrid.net/ls/click?x">a</a><a href="https://u1.ct.sendgrid.net/ls/click?x">b</a>
    <a href="https://shop.example/help">c</a>`
  const { html: clean, images, hasRemoteContent } = sanitizeMailHtml(html)
  expect(hasRemoteContent).toBe(true)
  expect(trackerReport(images, linksOf(clean, null))).toEqual({
    images: 3,
    pixels: 1,
    links: 1,
    hosts: [
      { host: 'img.shop.example', company: null, images: 2, pixels: 0, links: 0 },
      { host: 'open.sendgrid.net', company: 'SendGrid', images: 1, pixels: 1, links: 0 },
      { host: 'u1.ct.sendgrid.net', company: 'SendGrid', images: 0, pixels: 0, links: 1 },
    ],
  })
})

test.each([
  ['<p>plain <b>bold</b></p>', false],
  ['<p style="margin:0;font-size:12px">x</p>', false],
  ['<p style="color:#000">x</p>', true],
  ['<table bgcolor="#ffffff"><tr><td>x</table>', true],
  ['<style>p{font-size:1px;background-color:#fff}</style><p>x', true],
  ['<font color="red">x</font>', true],
  ['<body bgcolor="white">x</body>', true],
])('%s sets colors: %s', (html, colored) => expect(sanitizeMailHtml(html).colored).toBe(colored))

test('lets long URLs wrap, and leaves words of other scripts whole', () => {
  const url = `https://shop.example/${'a1-'.repeat(40)}?a=1&amp;b=2`
  const { html } = sanitizeMailHtml(`<td>${url}</td>`)
  expect(html).toContain('<wbr>')
  expect(html.replaceAll('<wbr>', '')).toBe(
    sanitizeMailHtml(`<td>${url.slice(0, 10)}</td>`).html.replace('https://sh', url),
  )
  expect(sanitizeMailHtml(`<p>${'ภาษาไทย'.repeat(20)}</p>`).html).not.toContain('<wbr>')
})

const SPACES = ' '.repeat(200_000)
test.each([
  `<img src="http://x.example/a" height=0 width="0${SPACES}x">`,
  `<img src="http://x.example/a" height=0 style="width:0${SPACES}x">`,
  `<img src="http://x.example/a" height=0 style="width${SPACES}x">`,
  `<style>a{background:url(${SPACES}"x" x)}</style>`,
  `<p style="background:url(${SPACES}x x)">`,
])('sanitizing takes linear time for hostile input %#', { tags: ['slow'] }, (html) =>
  expect(cpuTime(() => sanitizeMailHtml(html))).toBeLessThan(1000),
)

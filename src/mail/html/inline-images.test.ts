import { describe, expect, test } from 'vitest'
import { violations } from '#test/fixtures/mail/violations.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { contentIdOf, shownContentIds } from './inline-images.ts'
import { MAX_INLINE, sanitizeMailHtml } from './sanitize.ts'

const IMAGE = 'data:image/png;base64,iVBORw0KGgo='
const show = (html: string): string => sanitizeMailHtml(html, { inline: new Map([['x', IMAGE]]) }).html
const copies = (html: string): number => html.split(IMAGE).length - 1

describe('an image of the message', () => {
  test.each([
    '<img src="cid:x">',
    '<img src=" CID:%78 ">',
    '<img srcset="cid:x 2x">',
    '<video poster="cid:x"></video>',
    '<table background="cid:x"></table>',
    '<body background="cid:x">a</body>',
    '<body style="background:url(cid:x)">a</body>',
    '<p style="background:#fff url( \'cid:x\' ) no-repeat">a</p>',
    '<p style="background:url(cid:x),url(cid:y@z)">a</p>',
    '<style>.a{background-image:url("cid:x")}</style><p class="a">a</p>',
    '<style>.a{background:url(cid:x)</style><p class="a">a</p>',
    '<style>@media (min-width:9px){.a{background:url(cid:x)}}</style><p class="a">a</p>',
    '<input value="a" style="background:url(cid:x)">',
    '<noscript><img src="cid:x"></noscript><object data="a"><p>a</p></object>',
    `${'<b>'.repeat(1999)}<img src="cid:x">`,
  ])('is shown: %s', (html) => {
    expect(copies(show(html))).toBeGreaterThan(0)
    expect(shownContentIds(html)).toContain('x')
    expect(violations(show(html))).toEqual([])
  })

  test.each([
    '<!--[if mso]><v:fill src="cid:x"/><![endif]--><p>a</p>',
    '<a href="cid:x">a</a>',
    '<p title="cid:x">cid:x</p>',
    '<input type="image" src="cid:x">',
    '<input style="background:url(cid:x)">',
    '<form background="cid:x" style="background:url(cid:x)">a</form>',
    '<svg><img src="cid:x"></svg>',
    '<template><p><img src="cid:x"></p></template>',
    '<p style="behavior:url(cid:x)">a</p>',
    '<p style="background:url(cid:x) expression(1)">a</p>',
    '<p style="}background:url(cid:x)">a</p>',
    '<p style="background:u\\72l(cid:x)">a</p>',
    '<p style="background:url(\\63id:x)">a</p>',
    '<style>@font-face{src:url(cid:x)}</style>',
    '<style>@import url(cid:x);</style>',
    '<style>@media (prefers-color-scheme:dark){.a{background:url(cid:x)}}</style>',
    `${'<b>'.repeat(200)}<p style="background:url(cid:x)">a</p><table background="cid:x"></table>`,
    `<img src="cid:x">${'<b>'.repeat(2001)}`,
  ])('is not shown: %s', (html) => {
    if (!html.includes('<b>'.repeat(2001))) expect(copies(show(html))).toBe(0)
    expect(shownContentIds(html)).toEqual(new Set())
  })

  test.each(XSS_VECTORS)('is known to be shown if hostile HTML shows it: %s', (html) => {
    const ids = [...html.matchAll(/cid:([\w.]+)/gi)].flatMap(([reference]) => contentIdOf(reference) ?? [])
    const inline = new Map(ids.map((id) => [id, IMAGE]))
    const output = sanitizeMailHtml(html, { inline }).html
    expect(violations(output)).toEqual([])
    expect(shownContentIds(html).size > 0).toBe(copies(output) > 0)
  })

  test('takes no room from others if it is shown often', () => {
    const big = `data:image/png;base64,${'A'.repeat(MAX_INLINE / 2 - 100)}`
    const inline = new Map([
      ['big', big],
      ['x', IMAGE],
    ])
    for (const often of ['<img src="cid:big">', '<p style="background:url(cid:big)">a</p>']) {
      const { html } = sanitizeMailHtml(`${often.repeat(5)}<img src="cid:x">`, { inline })
      expect(html.split(big).length - 1).toBe(2)
      expect(copies(html)).toBe(1)
    }
  })
})

test.each([
  '<p style="background:url(cid:x);'.padEnd(2000, 'a;') + '">',
  '<style>a{background:url(cid:x);'.padEnd(3000, 'a;') + '}</style>',
  '<img src="cid:x">',
  `<p style="background:url(${' '.repeat(200_000)}x">`,
  `<img src="cid:x">${'<x>'.repeat(100_000)}`,
])('reading takes linear time for hostile input %#', { tags: ['slow'] }, (html) =>
  expect(cpuTime(() => shownContentIds(html.repeat(1_000_000 / html.length)))).toBeLessThan(1000),
)

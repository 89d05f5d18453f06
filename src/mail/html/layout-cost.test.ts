import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { htmlFrame } from './frame.ts'
import { shownContentIds } from './inline-images.ts'
import { sanitizeMailHtml } from './sanitize.ts'

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

/** The number of elements that a browser makes of a message, and its text without white space. */
async function shown(mail: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.setContent(htmlFrame(sanitizeMailHtml(mail).html))
  const result = await page.evaluate(() => ({
    elements: document.querySelectorAll('body *').length,
    text: document.body.textContent.replaceAll(/\s/g, ''),
  }))
  await context.close()
  return result
}

const open = (tag: string): string => Array.from({ length: 150 }, (_, i) => `<${tag} class="c${i}">`).join('')
const ROWS = 2000

test.each([
  ['<p>', 'font', '<p>y</p>'],
  ['<p>', 'b', '<div>y</div>'],
  ['<p>', 'i', '<table><tr><td>x</td></tr></table>y'],
  ['<p>', 'u', '<hr>y'],
  ['<ul><li>', 'b', '<li>y</li>'],
  ['<dl><dd>', 'code', '<dt>y</dt>'],
  ['<table>', 'font', '<tr></tr>y'],
  ['<table><tr><td><p>', 'font', '<p>y</p>'],
])('formatting that a browser repeats does not make a message huge: %s<%s>…%s', { tags: ['slow'] }, async (...mail) => {
  const [begin, tag, row] = mail
  const { elements, text } = await shown(begin + open(tag) + row.repeat(ROWS))
  expect(elements).toBeLessThan(70_000)
  expect(text.replaceAll('x', '')).toBe('y'.repeat(ROWS))
})

test.each([
  ['reports that close no element', '<font color="red">x<br>'.repeat(150) + '<p>y</p>'.repeat(ROWS)],
  ['reports that close no paragraph', '<p><font color="#00%i">x'.repeat(90).replaceAll('%i', () => 'f') + '<hr>y'],
  ['formatted cells', `<p><b><i><table>${'<tr><td><p><b class="%"><i>y</i></b></p></td></tr>'.repeat(ROWS)}</table>`],
  ['formatted items', `<ul>${'<li><b><font color="red">x<i class="%">y</i></font></b></li>'.repeat(ROWS)}</ul>`],
  ['a formatted paragraph', `<p>${'<b>x</b> <i>y</i><br>'.repeat(ROWS)}</p>`],
  ['highlighted code', `<pre>${'<span>x</span> <b>y</b>\n'.repeat(2 * ROWS)}</pre>`],
  ['a log', `<div style="white-space:pre-wrap">${'<b>x</b> <i>y</i>\n'.repeat(2 * ROWS)}</div>`],
  ['ruby', `<p>${'<ruby>漢<rp>(</rp><rt><b>かん</b></rt><rp>)</rp></ruby>'.repeat(ROWS)}</p>`],
  [
    'a list of links',
    `<p>${'<a href="https://a.example/">x</a>, <a href="https://a.example/"><img></a>'.repeat(ROWS)}</p>`,
  ],
  ['long tables', `<p><font><font><b><i><u><table>\n${'<tr>\n<td>\n<p>x</p></td>\n</tr>'.repeat(17_000)}`],
  ['many tables', `<p><font><font><b><i><u>${'<table><tr><td>x</td></tr></table>\n'.repeat(9000)}`],
])('all of the formatting is kept in %s', (_name, mail) => {
  const { html } = sanitizeMailHtml(mail)
  const count = (text: string): number => text.match(/<(?:font|a|b|i|span|p|table|tr|td|ruby|rt|li)\b/g)?.length ?? 0
  expect(count(html)).toBe(count(mail))
})

test('an image whose element is left out is an attachment', () => {
  const mail = `<p>${'<i></i>'.repeat(4000)}<i style="background:url(cid:a)"> </i><i><img src="cid:b"></i></p>`
  const inline = new Map(['a', 'b'].map((id) => [id, `data:image/png;base64,${id}`]))
  expect(sanitizeMailHtml(mail, { inline }).html.match(/base64,./g)).toEqual(['base64,b'])
  expect(shownContentIds(mail)).toEqual(new Set('b'))
})

test.each([
  '<i></i>\n',
  '<wbr>\n',
  '<i><b></b></i> ',
  '<a href="https://a.example/"></a> ',
  '<i></i><br>',
  '<b> </b>',
  '<i></i> <q>x</q>',
  '<i></i><td></td>',
  '<i></i><script>x</script>',
])('a paragraph of nothing but %j does not stop a browser for seconds', { tags: ['slow'] }, async (unit) => {
  for (const [begin, end] of [
    ['<p>', '</p>'],
    ['<pre>', '</pre>'],
    ['<pre style="white-space:normal">', '</pre>'],
  ]) {
    const mail = `${begin}${unit.repeat(20_000)}${end}<p><b></b></p>`
    const { html } = sanitizeMailHtml(mail)
    expect(html.match(/<(?!\/|br|q|td)/g)?.length).toBeLessThan(3010)
    expect(html.match(/<(?:br|q)\b/g)?.length ?? 0).toBe(/<br|<q/.test(unit) ? 20_000 : 0)
    expect(html).toMatch(/<p><b><\/b><\/p>$/)
  }
})

test.each(['<a href="x', '<a', '<br', '</a', '<input value=x'])(
  'a long message that is cut off at %s is shown',
  (end) => expect(sanitizeMailHtml('<b>x</b>'.repeat(4000) + end).html).toContain('<b>x</b>'),
)

test('empty elements in other cells and blocks are kept', () => {
  for (const block of ['<p>%</p>', '%<div></div>', '<table><tr><td>%</td><td>%</td></tr></table>', '%<hr>']) {
    const mail = block.replaceAll('%', '<i></i>'.repeat(2000)).repeat(3)
    expect(sanitizeMailHtml(mail).html.match(/<i>/g)?.length).toBe(mail.match(/<i>/g)?.length)
  }
})

test.each(['<b>', '<b></b>', '<table>', '<td>', '</i>', '<b></b><p>', ' x<b>'])(
  'a message of nothing but %j takes linear time',
  { tags: ['slow'] },
  (unit) => {
    const mail = unit.repeat(400_000 / unit.length)
    expect(
      cpuTime(() => {
        try {
          sanitizeMailHtml(mail)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
        shownContentIds(mail)
      }),
    ).toBeLessThan(3000)
  },
)

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { htmlFrame } from './frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const FADE = '@keyframes in{from{opacity:0}to{opacity:1}}'
const SLIDE = '@-webkit-keyframes "up"{0%{visibility:hidden}50%,100%{visibility:visible;opacity:.9;transform:none}}'
const PULSE = '@keyframes pulse{0%,100%{opacity:1}50%{opacity:.5}}'

let page: Page
beforeAll(async () => {
  page = await (await (await borrowBrowser()).newContext()).newPage()
})
afterAll(async () => closeContexts(await borrowBrowser()))

/** How a browser shows the element with the class `a`: its opacity and visibility, and its scale if it has one. */
async function look(css: string, html = '<p class="a b">x</p>'): Promise<string> {
  await page.setContent(htmlFrame(sanitizeMailHtml(`<style>${css}</style>${html}`).html))
  return page.evaluate(() => {
    const { opacity, visibility, transform } = getComputedStyle(document.querySelector('.a') as Element)
    return [opacity, visibility, ...(transform === 'none' ? [] : [transform])].join(' ')
  })
}

test.each([
  ['.a{opacity:0;animation:in 1s}'],
  ['.a{visibility:hidden;animation:other 1s}'],
  ['.a{transform:scale(0);animation:other 1s}'],
  [`${FADE}.a{opacity:0}.b{animation:in 1s}`],
  [`${FADE}.b{animation:in 1s}.a{opacity:0.0%}`],
  [`.b{animation-name:in}${FADE}p{opacity:0}`],
  [`@media all{${FADE}}.b{-webkit-animation:1s in}.a{opacity:0}`],
  [`${SLIDE}.a{visibility:hidden;opacity:0}.b{animation:"up" 1s both}`, '0.9 visible'],
  [`${SLIDE}.a{transform:scale( 0, 0 )}.b{animation:up 1s}`, '1 visible'],
  [`${FADE}${SLIDE}.a{opacity:0}.b{animation:in 1s,"up" 2s;animation-fill-mode:forwards}`, '0.9 visible'],
  // What is shown again and again is shown as it is best seen.
  ['@keyframes x{0%{opacity:.8}50%{opacity:30%}to{opacity:0}}.a{opacity:0}.b{animation:x 9s Infinite}', '0.8 visible'],
  ['@keyframes x{0%{opacity:1}to{opacity:0}}.a{opacity:0}.b{animation:x 9s}', '0 visible'],
  // The last definition counts, and what is important wins over animations.
  [`${FADE}@keyframes in{to{color:red}}.a{opacity:0}.b{animation:in 1s}`, '0 visible'],
  [`${FADE}.a{opacity:0!important}.b{animation:in 1s}`, '0 visible'],
  // Nothing is shown that the animation does not show.
  ['@keyframes x{to{opacity:0;transform:none}}.a{opacity:0;visibility:hidden}.b{animation:x 1s}', '0 hidden'],
  [`${FADE}.a{opacity:0}.b{animation:none}`, '0 visible'],
])('an element that an animation makes visible is shown: %s', async (css, shown = '1 visible') =>
  expect(await look(css)).toBe(shown),
)

test.each([
  [`${PULSE}.a{animation:pulse 2s infinite}`, '1 visible'],
  [`${PULSE}.a{opacity:.7}.b{animation:pulse 2s infinite}`, '0.7 visible'],
  ['@keyframes x{0%{opacity:1}50%{opacity:.01}}.a{animation:x 1s infinite}', '1 visible'],
  ['@keyframes x{from{opacity:1}to{opacity:.1}}.a{animation:x 1s 3}', '1 visible'],
  ['@keyframes x{from{opacity:1}to{opacity:.1}}.a{animation:x 1s forwards}', '1 visible'],
  ['@keyframes x{to{transform:scale(2.2)}}.a{animation:x 1s infinite both}', '1 visible'],
  ['@keyframes x{to{transform:scale(0)}}.a{animation:x 1s infinite both}', '1 visible'],
  ['@keyframes x{to{transform:translateX(-100%)}}.a{animation:x 9s infinite forwards}', '1 visible'],
])('an element that is visible stays as it is: %s', async (css, shown) => expect(await look(css)).toBe(shown))

test('a style attribute can name the animation, and any sheet can define it', async () => {
  expect(await look(`.a{opacity:0}`, `<p class="a" style="animation:in 1s">x</p><style>${FADE}</style>`)).toBe(
    '1 visible',
  )
  expect(await look(`${FADE}.b{animation:in 1s}`, '<p class="a b" style="opacity:0">x</p>')).toBe('1 visible')
})

test('what is inside of an animated element stays hidden', async () =>
  expect(await look(`${FADE}.a{opacity:0}.b{animation:in 1s}`, '<p class="b"><i class="a">x</i></p>')).toBe(
    '0 visible',
  ))

test('messages without such animations are not changed', () => {
  const css = '@keyframes x{to{color:red}}.a{animation:x 1s}.b{opacity:0;transform:scale(0)}'
  expect(sanitizeMailHtml(`<style>${css}</style>x`).html).toBe(`<style>${css.slice(css.indexOf('}}') + 2)}</style>x`)
})

const sheetOf = (css: string): string =>
  /^<style>(.*)<\/style>/s.exec(sanitizeMailHtml(`<style>${css}</style><p>x</p>`).html)?.[1] ?? ''

test('animations make a message little longer, and take linear time', { tags: ['slow'] }, () => {
  const frames = `@keyframes a{to{transform:${'x'.repeat(50_000)};opacity:1;visibility:visible}}`
  const rules = 'b{animation:a both}'.repeat(10_000)
  const names = `b{animation:${'a,'.repeat(100_000)}a both}`
  expect(sheetOf(frames + rules).length).toBeLessThan(6 * rules.length)
  expect(cpuTime(() => sheetOf(frames + names))).toBeLessThan(1500)
  expect(cpuTime(() => sheetOf(`@keyframes a{${'to{opacity:1}'.repeat(30_000)}}${rules}`))).toBeLessThan(1500)
  for (const prelude of [',', 'x', ' ', ', to', 'to '])
    expect(
      cpuTime(() =>
        sheetOf(`@keyframes a{${prelude.repeat(200_000 / prelude.length)}{${'opacity:1;'.repeat(20_000)}}}${rules}`),
      ),
      prelude,
    ).toBeLessThan(1500)
  for (const value of ['opacity:0', 'transform:scale(0)', 'transform:scale(', 'transform:', 'opacity:0.'])
    for (const rest of [' ', '0', '('])
      expect(
        cpuTime(() => sheetOf(`${FADE}b{${value}${rest.repeat(200_000)}(;)x}`)),
        value + rest,
      ).toBeLessThan(1500)
})

import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const FADE = '@keyframes in{from{opacity:0}to{opacity:1}}'
const SLIDE =
  '@-webkit-keyframes "up"{0%{visibility:hidden}50%,100%{visibility:visible;opacity:.9;transform:none;color:red}}'
const sheetOf = (css: string): string =>
  /^<style>(.*)<\/style>/s.exec(sanitizeMailHtml(`<style>${css}</style><p>x</p>`).html)?.[1] ?? ''

test.each([
  // The rule with the animation also wins over later ones, as an animation does.
  [`${FADE}.a{animation:in 1s}.b{opacity:0}`, '.a{animation:in 1s;opacity:1!important}.b{opacity:0}'],
  [`.a{animation-name:in}${FADE}`, '.a{animation-name:in;opacity:1!important}'],
  [
    `@media screen{${FADE}}.a{-webkit-animation:1s in}`,
    '@media screen{}.a{-webkit-animation:1s in;opacity:1!important}',
  ],
  [
    `${SLIDE}.a{animation:up 1s both}`,
    '.a{animation:up 1s both;visibility:visible!important;opacity:.9!important;transform:none!important}',
  ],
  // Without a fill mode, the element returns to its place.
  [`${SLIDE}.a{animation:up 1s}`, '.a{animation:up 1s;visibility:visible!important;opacity:.9!important}'],
  [
    `${FADE}${SLIDE}.a{animation:in 1s,"up" 2s;animation-fill-mode:forwards}`,
    '.a{animation:in 1s,"up" 2s;animation-fill-mode:forwards;opacity:.9!important;visibility:visible!important;transform:none!important}',
  ],
  // What is shown again and again is shown.
  [
    '@keyframes x{0%{opacity:1}to{opacity:0}}.a{animation:x 9s infinite}.b{animation:x 9s}',
    '.a{animation:x 9s infinite;opacity:1!important}.b{animation:x 9s}',
  ],
  // The last definition counts.
  [`${FADE}@keyframes in{to{color:red}}.a{animation:in 1s}`, '.a{animation:in 1s}'],
  // Nothing is shown that the animation does not show.
  ['@keyframes x{to{opacity:0;visibility:hidden;transform:none}}.a{animation:x 1s}', '.a{animation:x 1s}'],
  [
    `${FADE}.a{animation:none}.b{animation:other 1s}.in{opacity:0}`,
    '.a{animation:none}.b{animation:other 1s}.in{opacity:0}',
  ],
  [`@keyframes x{to{opacity:${'1'.repeat(100)}}}.a{animation:x 1s}`, '.a{animation:x 1s}'],
  ['@keyframes x{to{opacity:1}b{top:0}}@keyframes{to{opacity:1}}.a{animation:y}', '.a{animation:y}'],
])('an element that appears by an animation is shown: %s', (css, printed) => expect(sheetOf(css)).toBe(printed))

test('a style attribute can name the animation, and any sheet can define it', () => {
  const mail = `<style>.a{opacity:0}</style><p class="a" style="animation:in 1s">x</p><style>${FADE}</style>`
  expect(sanitizeMailHtml(mail).html).toBe(
    '<style>.a{opacity:0}</style><p class="a" style="animation:in 1s;opacity:1!important">x</p>',
  )
})

test('animations make a message little longer, and take linear time', { tags: ['slow'] }, () => {
  const frames = `@keyframes a{to{transform:${'x'.repeat(50_000)};opacity:1;visibility:visible}}`
  const rules = 'b{animation:a both}'.repeat(10_000)
  const names = `b{animation:${'a,'.repeat(100_000)}a both}`
  expect(sheetOf(frames + rules).length).toBeLessThan(10 * rules.length)
  expect(cpuTime(() => sheetOf(frames + names))).toBeLessThan(1500)
  expect(cpuTime(() => sheetOf(`@keyframes a{${'to{opacity:1}'.repeat(30_000)}}${rules}`))).toBeLessThan(1500)
})

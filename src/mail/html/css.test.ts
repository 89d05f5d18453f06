import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { cleanCss, cleanStyle } from './css.ts'

test.each([
  '(',
  'url(a ',
  'url(  ',
  'url("',
  'url()',
  'a:b ',
  'a:b!important ',
  'a{b:url(c) ',
  'a{b:c d:e ',
  'a::',
  'a[',
  '([',
  '"\\"',
  '"',
  '"\n',
  "'",
  '\\',
  '/*',
  '//\n',
  '{',
  'a{',
  '}',
  'a{b:c}} ',
  '{{ x }} ',
  '@media x{',
  '@',
  '!',
  ' ',
  '! ',
  'a{b:c',
  '<!-- ',
])('a style sheet of nothing but %j takes linear time', { tags: ['slow'] }, (unit) => {
  const css = unit.repeat(400_000 / unit.length)
  expect(cpuTime(() => cleanCss(css, () => 'x'))).toBeLessThan(1000)
  expect(cpuTime(() => cleanCss(`a{b:${css}`, () => 'x'))).toBeLessThan(1000)
  expect(cpuTime(() => cleanCss(`a{b:c${css}d}`, () => 'x'))).toBeLessThan(1000)
})

test.each(['0', '.0', '0.', ' ', '0%'])(
  'a property with a value of nothing but %j beside an animation takes linear time',
  { tags: ['slow'] },
  (unit) => {
    const zeros = unit.repeat(100_000 / unit.length)
    for (const property of ['opacity', 'visibility', 'animation'])
      expect(cpuTime(() => cleanStyle(`${property}:${zeros}x;animation:x`, () => 'x'))).toBeLessThan(1000)
  },
)

test.each([
  'a{content:"x\n;color:red;b:"y}',
  `a{b:"x;c:'y}i{top:0}`,
  'a[b="x{top:0}i{left:0}',
  'a{b:(c]}i{left:0}',
  'a{b:c)}i{left:0}',
  'a"{b:"c}',
  '@media (x"{a{top:0}}',
])('prints no string or bracket that is open: %j', (css) => {
  const printed = cleanCss(css, () => undefined).replace(/"[^"]*"|'[^']*'/g, '')
  expect(printed).not.toMatch(/["']/)
  expect(printed.match(/[([]/g)?.length).toBe(printed.match(/[)\]]/g)?.length)
})

test('leaves out declarations outside of rules, which would begin a rule of the next style sheet', () => {
  expect(cleanCss('.a{color:red} } font-size:12px } b{top:0}', () => undefined)).toBe('.a{color:red}b{top:0}')
  expect(cleanStyle('font-size:12px', () => undefined)).toBe('font-size:12px')
})

test('a URL in a string is no URL', () => {
  const asked: string[] = []
  const remote = (url: string): string => (asked.push(url), 'https://proxy.example/x')
  expect(cleanCss('a{content:"url(x) y";top:0}b{background:url(z)}', remote)).toBe(
    'a{top:0}b{background:url("https://proxy.example/x")}',
  )
  expect(asked).toEqual(['z'])
})

test.each([
  ['a{content:"→ •";top:0}', 'a{content:"→ •";top:0}'],
  [`a::after{content:"" / "" counter(x) ' ' counters(x,".") none}`, undefined],
  ['q{quotes:"«" "»"}li{list-style-type:"– "}', undefined],
  ['a{font-family:"Open Sans",serif;grid-template-areas:"a b"}', undefined],
  ['a{content:"x"}', 'a{}'],
  ["a{content:'1'!important}", 'a{}'],
  ['a{content:var(--x)}', 'a{}'],
  // Lists of Google Docs and Word.
  ['li::before{content:"" counter(lst-ctn-kix_a,decimal) ". "}p::before{content:"o "}', undefined],
  ['li::before{content:counters(x, ".", lower-roman) ") "}', undefined],
  ['a{content:counter(x,symbols("x"))}b{content:counter(x,x)}i{content:"o" "k"}', 'a{}b{}i{}'],
  ['a{content:"🅿🅰🆈"}b{content:"ⓟ"}i{content:"⒫"}u{content:"🇵"}', 'a{}b{}i{}u{}'],
  ['a{quotes:"x" ""}li{list-style:"x"}b{text-overflow:"x";-webkit-hyphenate-character:"x"}', 'a{}li{}b{}'],
  ['a{quotes:var(--x)}li{list-style-type:var(--x)}b{text-overflow:VAR(--x);text-emphasis:env(x)}', 'a{}li{}b{}'],
  [':root{--font:"Open Sans",Arial}b{font-family:var(--font);color:var(--c)}', undefined],
  ['a{unicode-bidi:-webkit-isolate;unicode-bidi:-moz-isolate;unicode-bidi:-webkit-plaintext}', undefined],
  ['a{unicode-bidi:embed}b{unicode-bidi:isolate}', undefined],
  ['a{unicode-bidi:bidi-override}b{Unicode-Bidi:var(--x)}i{unicode-bidi:isolate-override!important}', 'a{}b{}i{}'],
])('no string of a style sheet is shown as words, and none turns text around: %s', (css, expected) =>
  expect(cleanCss(css, () => undefined)).toBe(expected ?? css),
)

test.each([
  // Without its animation, what fades in would stay hidden.
  ['.c{opacity:0;color:red;animation:in 1s forwards}', '.c{color:red;animation:in 1s forwards}'],
  ['.c{-webkit-animation-name:in;visibility:hidden!important;Opacity:0.0}', '.c{-webkit-animation-name:in}'],
  ['@media screen{.c{animation:in 1s;opacity:0}.d{opacity:0}}', '@media screen{.c{animation:in 1s}.d{opacity:0}}'],
  ['.c{opacity:0;animation:none}.d{opacity:0;animation-duration:1s}', undefined],
  ['.c{opacity:.5;visibility:visible;animation:in 1s}', undefined],
  // Rules of layers apply, although their layers don't.
  ['@layer a,b;@layer a{.c{color:red}}.d{top:0}', '.c{color:red}.d{top:0}'],
  ['@layer{@media print{.c{top:0}}}@LAYER a.b{@layer c{.d{top:0}}}', '@media print{.c{top:0}}.d{top:0}'],
  ['@layer a{top:0}', ''],
  ['@container (min-width: 400px){.c{top:0}}@container x (width > 1px){.d{top:0}}', undefined],
  ['@keyframes in{from{opacity:0}}@font-face{src:url(x)}@import "x";.c{top:0}', '.c{top:0}'],
])('shows what at-rules that are not kept would show: %s', (css, expected) =>
  expect(cleanCss(css, () => undefined)).toBe(expected ?? css),
)

test('a style attribute without its animation hides nothing', () =>
  expect(cleanStyle('opacity:0;animation:in 1s', () => undefined)).toBe('animation:in 1s'))

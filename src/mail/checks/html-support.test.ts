import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import data from './client-support.json' with { type: 'json' }
import { htmlSupport } from './html-support.ts'

const featuresOf = (html: string): string[] => htmlSupport(html).issues.map(({ feature }) => feature)

/** HTML that uses a feature, and HTML that only looks like it. */
test.each([
  ['css-display-flex', '<p style="display:flex">', '<p style="display:block">'],
  ['css-display-flex', '<style>p { DISPLAY : inline-flex !important }</style>', '<style>p { flex: 1 }</style>'],
  ['css-display-flex', `<p style="content: 'a'; display: flex">`, `<p style="content: 'a; display: flex;'">`],
  ['css-display-none', '<p style="color: red; display: none">', '<p style="content: \'display:none\'">'],
  ['css-flex-direction', '<p style="flex-direction: column">', '<p style="flex-direction: row">'],
  ['css-gap', '<p style="column-gap: 1px">', '<p style="border: 1px">'],
  ['css-border-radius', '<p style="border-top-left-radius: 1px">', '<p style="border: 1px">'],
  ['css-border-radius', '<p style="-webkit-border-radius: 1px">', '<p style="mso-border-radius: 1px">'],
  ['css-margin-block-start-end', '<p style="margin-block-start: 0">', '<p style="margin-top: 0">'],
  ['css-variables', '<style>:root { --a: 1px }</style>', '<style>p { x--a: 1px }</style>'],
  ['css-variables', '<p style="color: var(--a)">', '<p style="background: url(var(--a).png)">'],
  ['css-important', '<p style="color: red !important">', '<p style="content: \'!important\'">'],
  ['css-unit-calc', '<p style="width: calc(1px + 2px)">', '<p style="width: 3px">'],
  ['css-unit-rem', '<p style="width: 1.5rem">', '<p style="background: url(1rem.png)">'],
  ['css-unit-vw', '<p style="width: 10vw">', '<p style="width: 10px">'],
  ['css-linear-gradient', '<p style="background: linear-gradient(red, blue)">', '<p style="background: red">'],
  ['css-modern-color', '<p style="color: oklch(1 0 0)">', '<p style="color: red">'],
  ['css-at-media', '<style>@media (min-width: 1px) { p { color: red } }</style>', '<style>p { color: red }</style>'],
  [
    'css-at-media-prefers-color-scheme',
    '<style>@media (prefers-color-scheme: dark) {}</style>',
    '<style>@media (a) {}</style>',
  ],
  ['css-at-font-face', '<style>@font-face { src: url(a) }</style>', '<style>p { src: url(a) }</style>'],
  [
    'css-pseudo-class-hover',
    '<style>a:hover { color: red }</style>',
    '<style>a[title=":hover"] { color: red }</style>',
  ],
  ['css-pseudo-element-before', '<style>a:before { color: red }</style>', '<style>a:active { color: red }</style>'],
  ['css-selector-child', '<style>a > b { color: red }</style>', '<style>a[title=">"] { color: red }</style>'],
  ['css-selector-adjacent-sibling', '<style>a + b {}</style>', '<style>a:nth-child(2n + 1) {}</style>'],
  ['css-selector-chaining', '<style>.a.b {}</style>', '<style>.a .b {}</style>'],
  ['css-nesting', '<style>a { & b { color: red } }</style>', '<style>@media (a) { b { color: red } }</style>'],
  ['css-nesting', '<style>a { @media (b) { color: red } }</style>', '<style>a { @media (b); color: red }</style>'],
  ['css-selector-child', '<style>.a-->.b{top:0}</style>', '<style>.a .b{top:0}</style>'],
  ['css-sytem-ui', `<p style="font-family:Bob's Font, system-ui">x</p>`, `<p style="font-family:'system-ui'">x</p>`],
  ['css-variables', '<style><!--\n:root { --a: 1px }\n--></style>', '<style><!-- p { color: red } --></style>'],
  [
    'css-pseudo-class-first-child',
    '<style>p:first-child {}</style>',
    '<style>@keyframes a { from { top: 0 } }</style>',
  ],
  ['html-form', '<form></form>', '<!-- <form></form> -->'],
  ['html-video', '<video src="a">', '<p>&lt;video></p>'],
  ['html-semantics', '<section></section>', '<div></div>'],
  ['html-input-checkbox', '<input type="CHECKBOX">', '<input>'],
  ['html-input-text', '<input>', '<input type="radio">'],
  ['html-button-submit', '<button>', '<button type="reset">'],
  ['html-srcset', '<img srcset="a 2x">', '<img src="a">'],
  ['html-anchor-links', '<a href="#a">', '<a href="https://a.example/#a">'],
  ['html-image-maps', '<img usemap="#a">', '<img>'],
  ['html-aria-hidden', '<p aria-hidden="true">', '<p aria="hidden">'],
  ['image-webp', '<img src="https://a.example/a.webp?x=1">', '<img src="https://a.webp.example/a.png">'],
  ['image-svg', '<p style="background: url(\'a.svg\')">', '<p style="background: url(\'svg\')">'],
  ['image-base64', '<img src="data:image/png;base64,AAAA">', '<img src="cid:a">'],
  [
    'image-base64',
    '<p style="color: red; background: url(data:image/png;base64,AAAA)">',
    '<p style="background: url(a;data:image/png)">',
  ],
])('finds %s in %s, and not in %s', (feature, uses, usesNot) => {
  expect(featuresOf(uses)).toContain(feature)
  expect(featuresOf(usesNot)).not.toContain(feature)
})

test('reads nothing in a long data URL', () =>
  expect(featuresOf(`<p style="background: url(data:image/png;base64,${'/1rem'.repeat(500)})">`)).toEqual([
    'image-base64',
    'css-background',
  ]))

test('returns places, clients without support, and their share', () => {
  const html = `<html>
<head><style>
  td { color: red }
  .box { display: flex; }
</style></head>
<body>
<p>one</p> <p style="padding: 1px; display: flex">two</p></body></html>`
  const { issues, elements, truncated, clients } = htmlSupport(html)
  const flex = issues.find(({ feature }) => feature === 'css-display-flex')
  expect(flex).toMatchObject({
    title: 'display:flex',
    category: 'css',
    found: 2,
    places: [
      { line: 4, snippet: 'display: flex' },
      { line: 7, snippet: 'display: flex' },
    ],
    unsupported: expect.arrayContaining(['Outlook (Windows)']),
    partial: expect.arrayContaining(['Gmail (iOS)']),
  })
  const { unsupported = [], unknown = [], share } = flex ?? {}
  expect(share?.unsupported).toBeCloseTo(unsupported.length / (clients.length - unknown.length), 2)
  expect([elements, truncated]).toEqual([6, false])
})

test('the worst features come first', () => {
  const losses = htmlSupport('<form style="display: flex"><video><svg>').issues.map(
    ({ share }) => share.unsupported + share.partial / 2,
  )
  expect(losses.length).toBeGreaterThan(3)
  expect(losses).toEqual(losses.toSorted((a, b) => b - a))
})

/** Features whose name in the data no detector produces. Each would be silently missing. */
test('every feature of the data can be found', () => {
  const sources = ['css-features', 'html-features', 'html-support']
    .map((name) => readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8'))
    .join('\n')
  const byRule = (slug: string): boolean => {
    const name = slug.replace(/^(?:css|html|image)-/, '')
    if (sources.includes(`'${slug}'`) || (slug.startsWith('image-') && sources.includes(`'${name}'`))) return true
    const examples = [
      `<p style="${name}: 1">`,
      `<p style="width: 1${slug === 'css-unit-percent' ? '%' : name.replace('unit-', '')}">`,
      `<style>a:${name.replace('pseudo-class-', '')} {} a::${name.replace('pseudo-element-', '')} {}</style>`,
      `<${name}>`,
      `<p ${name}="1">`,
      `<button type="${name.replace('button-', '')}">`,
      `<input type="${name.replace('input-', '')}">`,
    ]
    return featuresOf(examples.join('\n')).includes(slug)
  }
  const missing = Object.keys(data.features).filter((slug) => !byRule(slug))
  expect(missing).toEqual([])
  for (const { support } of Object.values(data.features)) expect(support).toHaveLength(data.clients.length)
})

test.each([
  ['nothing', ''],
  ['a style sheet with an error', '<style>a { color: red } } {{{ /* </style><p style="display: flex">'],
  ['an open tag', '<p style="display: flex'],
  ['a prototype', '<constructor style="__proto__: 1; constructor: 2"><p hasownproperty="1" constructor="2">'],
])('%s does no harm', (_name, html) => expect(htmlSupport(html).truncated).toBe(false))

const MILLION = 1_000_000
test.each([
  ['nested elements', '<div>'.repeat(MILLION / 5)],
  ['nested rules', `<style>${'a{'.repeat(MILLION / 2)}</style>`],
  ['nested at-rules', `<style>${'@media(a){'.repeat(MILLION / 10)}</style>`],
  ['styles', `<p style="display:flex;color:rgb(1,2,3)">`.repeat(MILLION / 40)],
  ['different styles', Array.from({ length: MILLION / 30 }, (_, i) => `<p style="width:${i}rem;x:y">`).join('')],
  ['a long style', `<p style="${'a'.repeat(MILLION)}">`],
  ['a style of brackets', `<p style="a:${'('.repeat(MILLION)}">`],
  ['a selector of brackets', `<style>${'['.repeat(MILLION)}{}</style>`],
  ['many selectors of brackets', `<style>${`${'a['.repeat(400)}{}`.repeat(MILLION / 802)}</style>`],
  ['attributes', `<p ${'a b c '.repeat(MILLION / 6)}>`],
  ['lines', '\n'.repeat(MILLION)],
  ['short elements on one line', '<b></b>'.repeat((2 * MILLION) / 7)],
  ['quotes', `<style>a{b:${'"'.repeat(MILLION)}}</style>`],
  ['comments', `<style>${'/**/'.repeat(MILLION / 4)}</style>`],
])('a message of %s takes a bounded time', (_name, html) => {
  expect(cpuTime(() => htmlSupport(html))).toBeLessThan(3000)
})

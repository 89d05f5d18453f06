import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const sheetOf = (css: string, html: string): string =>
  /^<style>([^]*?)<\/style>/.exec(sanitizeMailHtml(`<style>${css}</style>${html}`).html)?.[1] ?? ''

const flat = (elements: number): string => '<i class="x">a</i>'.repeat(elements)
const deep = `${'<div>'.repeat(150)}${flat(3000)}${'</div>'.repeat(150)}`

describe('selectors', () => {
  test.each([
    'b ~ i',
    'b~i',
    '[a="x ~"] ~ .x',
    ':is(b, b ~ i)',
    'i:not(:is(b > i, b ~ i))',
    'i:has(~ b)',
    '* ~ *',
    'p, b ~ i',
    'i:nth-child(2 of b)',
    'b i ~ i',
  ])('that search all siblings are left out of messages with many: %s', (selector) => {
    expect(sheetOf(`a{top:0}${selector}{color:red}b{left:0}`, flat(20_000))).toBe('a{top:0}b{left:0}')
    expect(sheetOf(`${selector}{color:red}`, flat(200))).toBe(`${selector}{color:red}`)
  })

  test.each([':not(p) :not(:not(q i) i) i', 'i:has(b):has(b):has(b)', ':not(:not(:not(q i) i) i) i'])(
    'that search all ancestors again and again are left out: %s',
    (selector) => expect(sheetOf(`a{top:0}${selector}{color:red}`, deep)).toBe('a{top:0}'),
  )

  test('are left out from where they are too many for the elements', () => {
    const sheet = sheetOf('i{top:0}'.repeat(10_000), flat(10_000))
    expect(sheet.length).toBeGreaterThan(1000)
    expect(sheet.length).toBeLessThan(40_000)
    const nested = sheetOf(`${'i,b,p,&{'.repeat(20)}top:0${'}'.repeat(20)}a{top:0}`, flat(1000))
    expect(nested.split('{').length).toBeLessThan(15)
    expect(nested).toContain('a{top:0}')
    const siblings = sheetOf(`${'& ~ i{'.repeat(6)}color:red${'}'.repeat(6)}a{top:0}`, flat(20_000))
    expect(siblings).not.toContain('red')
    expect(siblings).toContain('a{top:0}')
  })

  test.each([
    'a[title~="x"]',
    '.y ~ .z',
    'td ~ td',
    '.x',
    '.y i .z',
    'p + i',
    'div > i',
    'I.x:hover::before',
    'i:nth-child(2n + 1)',
    '#top ~ p',
  ])('that cost little are kept in long messages: %s', (selector) => {
    const printed = selector.replace('#', '#mail-')
    expect(sheetOf(`${selector}{color:red}`, flat(40_000))).toBe(`${printed}{color:red}`)
  })
})

const rows = (cells: string): string =>
  `<div class="prose space-y-4"><table>${`<tr>${cells}</tr>`.repeat(3000)}</table></div>`

test.each([
  'td~td',
  'tr:not(:first-child)~tr td',
  '.space-y-4>:not([hidden])~:not([hidden])',
  '.prose :where(p):not(:where([class~="not-prose"],[class~="not-prose"] *))',
  'table tbody tr:nth-child(even) td:hover',
])('styles of a report with 3,000 rows are kept: %s', (selector) => {
  const css = `${selector}{color:red}`.repeat(3)
  expect(sheetOf(css, rows('<td>a</td><td><p><a href="https://x.example">b</a></p></td><td>c</td>'))).toBe(css)
})

test.each([
  ['s~q~.a\u3000zz{color:red}', '<i class="a\u3000zz">b</i>'.repeat(16_000)],
  ['s~q~tbody{color:red}', `<table>${'<thead></thead><tr></tr>'.repeat(16_000)}</table>`],
])('elements that are found only with the rules of HTML count: %s', (css, html) => expect(sheetOf(css, html)).toBe(''))

test.each(['a ', 'a~', ':is(', '(', ' ~ ', ':has(', ',', '[a]', '"', '.a', '::', 'a>b ', ':nth-child(2 of '])(
  'selectors of nothing but %j take linear time',
  { tags: ['slow'] },
  (unit) => {
    const selectors = unit.repeat(300_000 / unit.length)
    const css = `a{top:0}${selectors}${')'.repeat(selectors.split('(').length - 1)}{top:0}`
    expect(cpuTime(() => sheetOf(css, '<i></i>'))).toBeLessThan(1000)
  },
)

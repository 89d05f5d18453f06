import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { htmlFrame } from './frame.ts'
import { forRoots } from './root-selectors.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const BODY = 'div:where([data-tag="body"])'
const HTML = 'div:where([data-tag="html"])'

test.each([
  ['body > table', `${BODY} > table`],
  ['body>table,p>a', `${BODY}>table,p>a`],
  ['BODY.x .y', `${BODY}.x .y`],
  ['body[dir="ltr"] body , body#mail-x', `${BODY}[dir="ltr"] body , ${BODY}#mail-x`],
  ['html > body > p', `html ${BODY} > p`],
  ['html[lang] > body.x', `${HTML}[lang] ${BODY}.x`],
  ['html.a body p', `${HTML}.a ${BODY} p`],
  [':is(body > p, i) b', `:is(${BODY} > p, i) b`],
  ['body:not(.x):hover > p', `${BODY}:not(.x):hover > p`],
  ['body:not(.x).y', `${BODY}:not(.x).y`],
  [':root > body > p', `:root ${BODY} > p`],
])('%s names an element of the message', (selectors, expected) =>
  expect(forRoots(selectors, { html: true, body: true }).replaceAll('   ', ' ')).toBe(expected),
)

test.each(['body', 'html, body', 'html > body', 'body p', 'body::before', 'body:hover', 'head + body > p', '* > p'])(
  '%s matches the elements of the frame',
  (selectors) => expect(forRoots(selectors, { html: true, body: true })).toBe(selectors),
)

test.each([
  '.body > p',
  '#body.x',
  '[body] > p',
  '[x=body] > p',
  '[x="body > p"]',
  'body-x > p',
  ':body > p',
  'x|body > p',
  '[x=")"] body',
  'a:not(body',
  ')body',
  '',
])('%j names no root', (selectors) => expect(forRoots(selectors, { html: true, body: true })).toBe(selectors))

test.each([
  ['body > p', `${HTML} > p`],
  ['html > body > p', `html ${HTML} > p`],
  ['html[lang] > body > p, html.a body p', `${HTML}[lang] > p, ${HTML}.a p`],
  ['body.x > p', 'body.x > p'],
  ['body p', 'body p'],
])('without a tag of the body, %s names the element of html', (selectors, expected) =>
  expect(forRoots(selectors, { html: true, body: false }).replaceAll(/ +/g, ' ')).toBe(expected),
)

test('leaves selectors of elements that do not exist', () => {
  expect(forRoots('html.x > body > p', { html: false, body: false })).toBe('html.x > body > p')
  expect(forRoots('html.x>body>p', { html: false, body: true })).toBe(`html.x ${BODY}>p`)
})

test.each(['body', 'body>', 'body ', 'body.x', 'body:not(', 'body[]', '(', ' >', 'html>body>', ')', '"', 'body.x)'])(
  'selectors of nothing but %j take linear time',
  { tags: ['slow'] },
  (unit) =>
    expect(cpuTime(() => forRoots(unit.repeat(400_000 / unit.length), { html: true, body: true }))).toBeLessThan(1000),
)

describe('in a browser', () => {
  let page: Page
  beforeAll(async () => {
    page = await (await (await borrowBrowser()).newContext()).newPage()
  })
  afterAll(async () => closeContexts(await borrowBrowser()))

  /** The elements with a title that a selector matches, in a document. */
  async function matched(document: string): Promise<string[]> {
    await page.setContent(document)
    return page.evaluate(() =>
      [...globalThis.document.querySelectorAll('body [title]')]
        .filter((element) => getComputedStyle(element).zIndex === '7')
        .map((element) => element.getAttribute('title') ?? ''),
    )
  }

  const CONTENT = `<div title="first" class="pre">x</div><table title="second" class="y"><tr><td title="cell" class="z">x</td></tr></table>`
  const ROOTS = [
    ['<html><body>', '</body></html>'],
    ['<html class="h" dir="ltr"><body class="b" id="i" dir="ltr">', '</body></html>'],
    ['<body class="b">', ''],
    ['<html class="h" lang="en">', '</html>'],
    ['', ''],
  ] as const

  test.each([
    'body > table',
    'body > div',
    'body>div:first-of-type',
    'html > body > .y',
    ':root > body > .y',
    'html[lang] > body > .y',
    'html.h body > .y',
    'html body > .y',
    'body.b .z',
    'body#i > .y',
    'body[dir=ltr] .y',
    'html.h .y',
    'html.h > body.b > .y',
    'html[class=h] > body > .pre',
    'html[lang] > body.b .y',
    'body[class=b] .y',
    'body .y',
    'body *',
    'body.b:not(.z) > .y',
    'body:is(.b) .y',
    '.b > .y',
  ])('%s matches as in the original', async (selector) => {
    for (const [begin, end] of ROOTS) {
      const style = `<style>${selector}{z-index:7}</style>`
      const mail = `${begin.includes('<body') ? begin.replace('<body', `<head>${style}</head><body`) : begin + style}${CONTENT}${end}`
      expect(await matched(htmlFrame(sanitizeMailHtml(mail).html)), begin).toEqual(await matched(mail))
    }
  })

  test('has the weight that it has in the original', async () => {
    const css = 'body > table{z-index:1}.y{z-index:7}body.b > div{z-index:7}.pre{z-index:1}'
    const mail = `<html><head><style>${css}</style></head><body class="b">${CONTENT}</body></html>`
    expect(await matched(htmlFrame(sanitizeMailHtml(mail).html))).toEqual(['first', 'second'])
    expect(await matched(mail)).toEqual(['first', 'second'])
  })
})

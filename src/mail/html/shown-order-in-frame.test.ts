import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { htmlFrame, textFrame } from './frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

/** The characters of the links of a document from left to right, and what is generated beside them. */
async function linkAsShown(document: string): Promise<string> {
  const context = await browser.newContext()
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  await page.setContent(document)
  const shown = await page.evaluate(() => {
    const characters: { left: number; character: string }[] = []
    const elements = [...globalThis.document.querySelectorAll('a, a *')]
    for (const element of elements) {
      for (const node of element.childNodes) {
        for (let i = 0; node.nodeType === Node.TEXT_NODE && i < (node.textContent ?? '').length; i++) {
          const range = globalThis.document.createRange()
          range.setStart(node, i)
          range.setEnd(node, i + 1)
          const { left, width } = range.getBoundingClientRect()
          if (width > 0) characters.push({ left, character: range.toString() })
        }
      }
    }
    const generated = elements.flatMap((element) =>
      ['::before', '::after'].map((pseudo) => getComputedStyle(element, pseudo).content),
    )
    return [...characters.toSorted((a, b) => a.left - b.left).map(({ character }) => character), ...generated]
      .filter((piece) => piece !== 'none' && piece !== 'normal')
      .join('')
  })
  await context.close()
  return shown
}

const BACKWARDS = 'moc.lapyap//:sptth'
const url = `https://evil.example/${BACKWARDS}`
const html = (mail: string) => linkAsShown(htmlFrame(sanitizeMailHtml(mail).html))

describe('the text of a link is shown in the order in which it is checked', () => {
  test.each([
    `<bdo dir="rtl">${BACKWARDS}</bdo>`,
    `\u202e${BACKWARDS}`,
    `&#x202E;${BACKWARDS}`,
    ...['bidi-override', 'isolate-override', 'BIDI-OVERRIDE!important', 'var(--x);--x:bidi-override'].map(
      (value) => `<span style="direction:rtl;unicode-bidi:${value}">${BACKWARDS}</span>`,
    ),
    `<b class="order">${BACKWARDS}</b>`,
    `<b class="open">${BACKWARDS}</b>`,
  ])('in HTML: %s', async (text) => {
    const css =
      '.order{--x:bidi-override;direction:rtl;unicode-bidi:bidi-override;unicode-bidi:var(--x)}.open::before{content:"\u202e"}'
    expect(await html(`<style>${css}</style><a href="https://evil.example/">${text}</a>`)).toContain(BACKWARDS)
  })

  test.each(['\u202e', '&#8238;'])('after %s in front of it', async (control) =>
    expect(await html(`<p>${control}<a href="${url}">${url}</a></p>`)).toBe(url),
  )

  test.each(['\u202e', '\u202d\u202e', '\u202b', '\u2067', 'שלום \u202b'])('in a text after %j', async (control) =>
    expect(await linkAsShown(textFrame(`Confirm: ${control}${url} today`))).toBe(url),
  )
})

test.each([
  '.x::before{content:"https://www.paypal.com"}',
  ".x::after{content:'paypal' '.' 'com'}",
  '.x{--x:"paypal.com"}.x::after{content:var(--x)}',
  '.x{quotes:"paypal.com" ""}.x::after{content:open-quote}',
  '@supports (top:0){.x{&::before{content:"paypal.com"}}}',
])('style sheets generate no words: %s', async (css) => {
  const shown = await html(`<style>${css}</style><a class="x" href="https://evil.example/">Go</a>`)
  expect(shown).toMatch(/^Go(?:open-quote)?$/)
})

test('an attribute hides no order either: the text of an image that is not loaded', async () => {
  const { html: clean } = sanitizeMailHtml(`<a href="https://evil.example/"><img alt="\u202e${BACKWARDS}"></a>`)
  expect(clean).toContain(`alt="${BACKWARDS}"`)
})

test.each([
  ['<a href="https://x.example/ar">العربية</a> | English', 'Hello John!', [true, '!']],
  ['<div style="display:none">שלום</div>English', 'Hello John!', [true, '!']],
  ['Wix', 'שלום יוסי, ההזמנה שלך בדרך!', [false, 'ש']],
])('columns and marks are where they are in most letters’ direction: %s', async (first, text, [isLtr, last]) => {
  const { html: clean, dir } = sanitizeMailHtml(
    `<p>${first}</p><table><tr><td id="a">1</td><td id="b">2</td></tr></table><p id="p">${text}</p>`,
  )
  const context = await browser.newContext()
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  await page.setContent(htmlFrame(clean, { dir }))
  const shown = await page.evaluate(() => {
    const leftOf = (id: string) => globalThis.document.getElementById(id)?.getBoundingClientRect().left ?? 0
    const node = globalThis.document.getElementById('mail-p')?.firstChild as Text
    const lefts = [...node.data].map((character, i) => {
      const range = globalThis.document.createRange()
      range.setStart(node, i)
      range.setEnd(node, i + 1)
      return { character, left: range.getBoundingClientRect().left }
    })
    const rightmost = lefts.toSorted((a, b) => b.left - a.left)[0]
    return [leftOf('mail-a') < leftOf('mail-b'), rightmost?.character]
  })
  await context.close()
  expect(shown).toEqual([isLtr, last])
})

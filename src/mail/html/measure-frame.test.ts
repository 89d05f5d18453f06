import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { type Framed, openFramed } from '#test/support/program/framed.ts'
import { htmlFrame } from './frame.ts'
import { MEASURE_FRAME, MEASURE_SANDBOX, measureFrameCsp } from './measure-frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const SITE = 'https://site.example'

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

/** Opens a page with a measuring frame. Returns the page, and the scripts, requests and popups that occur. */
async function open(remote = false): Promise<Framed> {
  const { page, effects } = await openFramed(browser, {
    site: SITE,
    document: MEASURE_FRAME,
    csp: measureFrameCsp(remote),
  })
  await page.evaluate(async (sandbox) => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', sandbox)
    frame.style.cssText = 'border:0;height:1px;width:390px;position:absolute;top:0;left:0'
    frame.src = '/frame'
    const ready = new Promise<void>((resolve) => {
      addEventListener('message', ({ data }) => data.ready && resolve(), { once: true })
    })
    document.body.append(frame)
    await ready
  }, MEASURE_SANDBOX)
  return { page, effects }
}

interface Measured {
  at: number
  width: number
  height: number
}

/** The first measurement of a document at a width. */
const measure = (page: Page, html: string, width = 390): Promise<Measured> =>
  page.evaluate(
    async (given) => {
      const frame = document.querySelector('iframe')
      if (!frame) throw new Error('There is no frame')
      frame.style.width = `${given.width}px`
      const measured = new Promise<Measured>((resolve) => {
        addEventListener('message', ({ data }) => data.at === given.width && resolve(data as Measured))
      })
      frame.contentWindow?.postMessage({ html: given.html }, '*')
      return measured
    },
    { html, width },
  )

describe('the measuring frame', () => {
  test('measures height and width', async () => {
    const { page } = await open()
    const box = (style: string): string => htmlFrame(`<div style="${style}">x</div>`)
    expect(await measure(page, box('height:1000px'))).toEqual({ at: 390, width: 390, height: 1032 })
    const wide = await measure(page, box('width:600px;height:10px'))
    // The padding at the end belongs to the message.
    expect(wide).toEqual({ at: 390, width: 632, height: 42 })
    await page.context().close()
  })

  test.each([
    ['<div dir="rtl"><table width="640"><tr><td>x</td></tr></table></div>'],
    ['<div style="direction:rtl"><div style="width:640px">x</div></div>'],
    ['<html dir="rtl"><table width="640"><tr><td>x</td></tr></table>'],
    ['<html dir="ltr"><body dir="rtl"><table width="640"><tr><td>x</td></tr></table>'],
    ['<html dir="rtl"><body><div dir="ltr"><table width="640"><tr><td>x</td></tr></table></div>'],
    ['<html dir="rtl"><body><div dir="ltr"><div dir="rtl"><div style="width:640px">x</div></div></div>'],
  ])('measures what overflows at either side: %s', async (mail) => {
    const { page } = await open()
    const { html, dir } = sanitizeMailHtml(mail)
    expect(await measure(page, htmlFrame(html, { dir }))).toMatchObject({ at: 390, width: 672 })
    expect(await measure(page, htmlFrame(html, { dir }), 672)).toMatchObject({ at: 672, width: 672 })
    await page.context().close()
  })

  test('keeps the size of an image with a map, whose areas are in pixels', async () => {
    const { page } = await open()
    const { html } = sanitizeMailHtml('<img width="600" height="10" usemap="#M"><map name="M"></map>', {
      inline: new Map(),
    })
    const image = html.replace(
      '<img',
      '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"',
    )
    expect((await measure(page, htmlFrame(image))).width).toBe(632)
    await page.context().close()
  })

  test.each([
    '<div style="overflow:hidden"><div dir="rtl"><div style="width:640px">x</div></div></div>',
    '<div dir="rtl"><div style="position:absolute;left:-9999px">x</div></div>',
  ])('does not count what nobody sees: %s', async (cut) => {
    const { page } = await open()
    expect((await measure(page, htmlFrame(cut))).width).toBe(390)
    await page.context().close()
  })

  test('does not grow with lengths that depend on its height', async () => {
    const { page } = await open()
    expect((await measure(page, htmlFrame('<div style="height:300vh">x</div>'))).height).toBeLessThan(100)
    await page.context().close()
  })

  test('runs nothing, requests nothing and does not navigate, even if the message is not sanitized', async () => {
    const { page, effects } = await open()
    for (const html of [...XSS_VECTORS, ...TRACKERS.map(([, tracker]) => tracker)]) {
      await measure(page, htmlFrame(html))
    }
    await page.waitForLoadState('networkidle')
    expect(effects).toEqual([])
    expect(page.frames().map((frame) => frame.url())).toEqual([`${SITE}/`, `${SITE}/frame`])
    await page.context().close()
  })

  test('copies only allowed elements and attributes', async () => {
    const { page } = await open()
    const hostile =
      '<a href="https://evil.example" onclick="evil()">a</a><form action="/x"><input></form><meta http-equiv="refresh" content="0;https://evil.example"><base href="https://evil.example"><iframe src="https://evil.example"></iframe><object data="x"></object>'
    await measure(page, htmlFrame(hostile))
    const copy = await page.frames()[1]?.locator('body').innerHTML()
    expect(copy).toBe('<a href="#">a</a>')
    await page.context().close()
  })

  test('requests only the proxy of the site if images are allowed', async () => {
    const { page, effects } = await open(true)
    const { html } = sanitizeMailHtml('<img src="https://shop.example/a.png">', { remote: () => '/proxy?u=x' })
    await measure(page, htmlFrame(`${html}<img src="https://evil.example/b.png">`))
    await expect.poll(() => effects).toEqual([`requested ${SITE}/proxy?u=x`])
    await page.context().close()
  })

  const cover =
    'content:"From: boss@bank.com";display:block;position:absolute;inset:0;z-index:2147483647;background:#fff'
  test.each([
    ['html>*,body>div:first-child,div{display:none!important;opacity:0!important}'],
    [`html::before,html::after,div::before,div::after,*::before{${cover.replaceAll(';', '!important;')}}`],
    [`body::before,body::after{${cover}}`],
    ['div::first-line{font-size:0!important}div::first-letter{font-size:0!important}'],
    [
      'body{min-height:900px;margin-top:-300px!important;position:absolute!important;top:0!important;z-index:2147483647!important}',
    ],
    [
      'body{min-height:900px;transform:translateY(-200px)!important;position:relative!important;background:#fff!important}',
    ],
    ['html{opacity:0!important;clip-path:inset(200px 0 0)!important;transform:translateY(-200px)!important}'],
    ['html{display:flex!important;flex-direction:column-reverse!important;visibility:hidden!important}'],
    ['html{color:#fff!important;direction:rtl!important}'],
    ['', `<div style="${cover};height:300px;margin-top:-99px">From: boss@bank.com</div>`],
    ['@media print{html>*{display:none!important}}'],
  ])('prints the subject and sender where no style of a message hides them: %s', async (css, body = '<p>Hello</p>') => {
    const { page } = await open()
    await measure(page, htmlFrame(sanitizeMailHtml(`<style>${css}</style>${body}`).html))
    await page.emulateMedia({ media: 'print' })
    const frame = page.frames()[1]!
    const before = await frame.evaluate(() => document.documentElement.outerHTML)
    await page.evaluate(() => (document.querySelector('iframe')!.style.height = '600px'))
    const printed = await frame.evaluate(
      () =>
        new Promise((resolve) => {
          window.print = (): void => {
            const head = document.querySelector<HTMLElement>('html > div')
            if (!head) return resolve('no head')
            const { left, top, width, height } = head.getBoundingClientRect()
            const corners = [0.1, 0.5, 0.9].flatMap((x) =>
              [0.2, 0.5, 0.8].map((y) => [left + x * width, top + y * height]),
            )
            const { color, visibility } = getComputedStyle(head)
            const pseudo = ['::before', '::after'].flatMap((name) =>
              [head, document.documentElement].map((each) => getComputedStyle(each, name).content),
            )
            resolve({
              left: Math.round(left),
              top: Math.round(top),
              height: Math.round(height),
              onTop: corners.every(([x = 0, y = 0]) => document.elementFromPoint(x, y) === head),
              styles: [color, visibility, getComputedStyle(document.documentElement).opacity],
              isBare: pseudo.every((content) => /^(?:none|normal)$/.test(content)),
            })
          }
          dispatchEvent(
            new MessageEvent('message', { source: parent, data: { print: ['Hi', 'From: a@evil.example'] } }),
          )
        }),
    )
    expect(printed).toEqual({
      left: 16,
      top: 0,
      height: 76,
      onTop: true,
      styles: ['rgb(0, 0, 0)', 'visible', '1'],
      isBare: true,
    })
    const after = await frame.evaluate(() => document.documentElement.outerHTML)
    expect(after.replaceAll(' style=""', '')).toBe(before)
    await page.context().close()
  })
})

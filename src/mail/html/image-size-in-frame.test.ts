import { deflateSync } from 'node:zlib'
import { crc32 } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowBrowser, closeContexts } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { htmlFrame } from './frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A gray PNG of a size. */
function png(width: number, height: number): string {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const rows = deflateSync(Buffer.alloc((width + 1) * height, 0))
  const chunks = [chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return `data:image/png;base64,${Buffer.concat([signature, ...chunks]).toString('base64')}`
}

const inline = new Map([
  ['dot', png(1, 1)],
  ['photo', png(1200, 600)],
  ['logo', png(2000, 100)],
])

let browser: Browser
beforeAll(async () => {
  browser = await borrowBrowser()
})
afterAll(() => closeContexts(browser))

/** The width and height of the first image in a frame, whose padding leaves 500 pixels, or 358 on a phone. */
async function sizeOf(html: string, width: number): Promise<[number, number]> {
  const context = await browser.newContext({ viewport: { width, height: 600 } })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  await page.route('https://site.example/proxy', (route) =>
    route.fulfill({ contentType: 'image/png', body: Buffer.from(inline.get('dot')!.split(',')[1]!, 'base64') }),
  )
  await page.goto('about:blank')
  const remote = (): string => 'https://site.example/proxy'
  await page.setContent(htmlFrame(sanitizeMailHtml(html, { inline, remote }).html), { waitUntil: 'load' })
  const size = await page
    .locator('img')
    .first()
    .evaluate((image): [number, number] => {
      const box = image.getBoundingClientRect()
      return [Math.round(box.width * 10) / 10, Math.round(box.height * 10) / 10]
    })
  await context.close()
  return size
}

test.each<[string, [number, number], [number, number]]>([
  ['<img src="cid:dot" width="500" height="4">', [500, 4], [358, 2.9]],
  ['<img src="https://a.example/dot.png" width="500" height="4">', [500, 4], [358, 2.9]],
  [
    '<table width="300" cellspacing="0"><tr><td style="padding:0"><img src="cid:dot" width="300" height="4"></td></tr></table>',
    [300, 4],
    [300, 4],
  ],
  ['<img src="cid:dot" style="width:500px;height:4px">', [500, 4], [358, 2.9]],
  ['<img src="cid:dot" width="500" style="height:4px">', [500, 4], [358, 2.9]],
  ['<img src="cid:dot" width="100%" height="4">', [584, 4], [358, 4]],
  ['<img src="cid:dot" style="width:100%;height:4px">', [584, 4], [358, 4]],
  ['<img src="cid:dot" height="20">', [20, 20], [20, 20]],
  ['<img src="cid:dot" width="1" height="20">', [1, 20], [1, 20]],
  ['<img src="cid:dot" width="0" height="20">', [0, 20], [0, 20]],
  ['<img src="cid:dot" width="40">', [40, 40], [40, 40]],
  ['<img src="cid:photo">', [584, 292], [358, 179]],
  ['<img src="cid:photo" width="400" height="200">', [400, 200], [358, 179]],
  ['<img src="cid:photo" width="400">', [400, 200], [358, 179]],
  ['<img src="cid:photo" height="100">', [200, 100], [200, 100]],
  ['<img src="cid:photo" height="100" style="max-width:100%">', [200, 100], [200, 100]],
  ['<img src="cid:photo" width="50%">', [292, 146], [179, 89.5]],
  ['<img src="cid:photo" width="100%" height="400">', [584, 292], [358, 179]],
  ['<img src="cid:photo" width="400" height="100%">', [400, 200], [358, 179]],
  ['<img src="cid:photo" width="100%" height="100%">', [584, 292], [358, 179]],
  ['<img src="cid:photo" width="600" height="300" style="width:100%;height:auto">', [584, 292], [358, 179]],
  ['<img src="cid:photo" width="600" height="300" style="width:100%;max-width:400px">', [400, 200], [358, 179]],
  ['<img src="cid:photo" style="width:400px;height:200px">', [400, 200], [358, 179]],
  ['<img src="cid:photo" width="9999" height="9999">', [584, 584], [358, 358]],
  // Its box stays as tall, and the picture in it keeps its ratio.
  ['<img src="cid:logo" height="40">', [584, 40], [358, 40]],
  ['<style>.s{height:10px}</style><img class="s" src="cid:dot" width="300" height="4">', [300, 10], [300, 10]],
])('the size of %s', async (html, wide, narrow) => {
  expect([await sizeOf(html, 640 - 24), await sizeOf(html, 390)]).toEqual([wide, narrow])
})

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser } from '#test/support/program/browser.ts'

/*
 * Draws the images of the brand from its wing (public/favicon.svg): icons of the installed site and
 * /favicon.ico. `node test/brand/draw.ts` writes them to public/.
 */
const root = join(import.meta.dirname, '../..')
const paths = (await readFile(join(root, 'public/favicon.svg'), 'utf8')).replace(/<style>.*?<\/style>/s, '')
const wing = paths.replace('class="b"', 'fill="#d98a1f"').replaceAll('<path d', '<path fill="#0b6f74" d')
const inner = wing.replace(/<\/?svg[^>]*>/g, '')

/** The wing on a paper background. `share` is its part of the width. */
const icon = (side: number, share: number, radius: number): string => {
  const size = side * share
  const at = (side - size) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="${side}" height="${side}" rx="${radius}" fill="#f6f8f7"/><svg x="${at}" y="${at}" width="${size}" height="${size}" viewBox="0 0 32 32">${inner}</svg></svg>`
}

const PICTURES: [string, string, number, number][] = [
  ['icon-192.png', icon(192, 0.72, 40), 192, 192],
  ['icon-512.png', icon(512, 0.72, 108), 512, 512],
  ['icon-maskable.png', icon(512, 0.56, 0), 512, 512],
  ['apple-touch-icon.png', icon(180, 0.66, 0), 180, 180],
]

const browser = await launchBrowser()
const page = await browser.newPage()
await mkdir(join(root, 'public'), { recursive: true })

async function draw(svg: string, width: number, height: number): Promise<Buffer> {
  await page.setViewportSize({ width, height })
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`)
  return page.screenshot({ omitBackground: true })
}

/** An ICO file with PNG images, which all browsers read: a header, an entry of 16 bytes per image, the images. */
function ico(pictures: { side: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let offset = header.length
  for (const [i, { side, png }] of pictures.entries()) {
    const entry = 6 + 16 * i
    header.writeUInt8(side, entry)
    header.writeUInt8(side, entry + 1)
    header.writeUInt16LE(1, entry + 4)
    header.writeUInt16LE(32, entry + 6)
    header.writeUInt32LE(png.length, entry + 8)
    header.writeUInt32LE(offset, entry + 12)
    offset += png.length
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)])
}

for (const [name, svg, width, height] of PICTURES) {
  await writeFile(join(root, 'public', name), await draw(svg, width, height))
}
const small: { side: number; png: Buffer }[] = []
for (const side of [16, 32, 48]) small.push({ side, png: await draw(icon(side, 0.9, side / 6), side, side) })
await writeFile(join(root, 'public/favicon.ico'), ico(small))
await browser.close()

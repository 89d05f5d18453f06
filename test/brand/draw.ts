import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser } from '#test/support/program/browser.ts'

/*
 * Draws the images of the brand from its wing (public/favicon.svg): icons of the installed site, /favicon.ico, and the
 * preview image of shared links. `node test/brand/draw.ts` writes them to public/.
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

const card = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
<defs><linearGradient id="light" x2="0" y2="1"><stop offset="0" stop-color="#f6f8f7"/><stop offset=".70" stop-color="#fdf2de"/><stop offset=".705" stop-color="#e0f0ef"/><stop offset="1" stop-color="#cfe6e5"/></linearGradient></defs>
<rect width="1200" height="630" fill="url(#light)"/>
<g fill="none" stroke="#0b6f74" stroke-width="2"><ellipse cx="600" cy="535" rx="120" ry="14" opacity=".5"/><ellipse cx="600" cy="535" rx="300" ry="38" opacity=".28"/><ellipse cx="600" cy="535" rx="540" ry="72" opacity=".14"/></g>
<svg x="475" y="56" width="250" height="260" viewBox="0 0 32 32">${inner}</svg>
<text x="600" y="400" text-anchor="middle" font-family="system-ui, 'Noto Sans', sans-serif" font-size="92" font-weight="650" letter-spacing="-2" fill="#13242e">Mayfly</text>
</svg>`

const PICTURES: [string, string, number, number][] = [
  ['icon-192.png', icon(192, 0.72, 40), 192, 192],
  ['icon-512.png', icon(512, 0.72, 108), 512, 512],
  ['icon-maskable.png', icon(512, 0.56, 0), 512, 512],
  ['icon-maskable-192.png', icon(192, 0.56, 0), 192, 192],
  ['apple-touch-icon.png', icon(180, 0.66, 0), 180, 180],
  ['og.png', card, 1200, 630],
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

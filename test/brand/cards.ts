import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml } from '#core/text.ts'
import { languages } from '#locales/languages.ts'
import { launchBrowser } from '#test/support/program/browser.ts'
import { type Card, CARDS } from '#web/document/card.ts'
import { palettePng, ramp } from './palette-png.ts'

/*
 * Draws the preview images of shared links, one per language and kind of page, to public/cards/. Fonts for all scripts
 * are too large to be installed with the program, so they are installed in a directory of their own before:
 *
 *   npm install --prefix DIR $(node test/brand/cards.ts --fonts)
 *   node test/brand/cards.ts DIR
 */
const root = join(import.meta.dirname, '../..')
const SCRIPTS = [
  'arabic',
  'devanagari',
  'thai',
  'bengali',
  'tamil',
  'telugu',
  'gujarati',
  'myanmar',
  'ethiopic',
  'khmer',
]
const FONTS = ['', ...['sc', 'tc', 'jp', 'kr', ...SCRIPTS].map((name) => `-${name}`)].map((name) => `noto-sans${name}`)
/** Languages whose characters another font has too, in another form. */
const OWN: Record<string, string> = { 'zh-TW': 'TC', ja: 'JP', ko: 'KR' }

const directory = process.argv[2] ?? ''
if (directory === '--fonts') {
  console.log(FONTS.map((name) => `@fontsource/${name}`).join(' '))
  process.exit()
}
const fontFiles = join(directory, 'node_modules/@fontsource')
if (!existsSync(fontFiles)) throw new Error(`${fontFiles} does not exist; see the comment in test/brand/cards.ts`)

const wing = (await readFile(join(root, 'public/favicon.svg'), 'utf8'))
  .replace(/<style>.*?<\/style>/s, '')
  .replace('class="b"', 'fill="#d98a1f"')
  .replaceAll('<path d', '<path fill="#0b6f74" d')

/** The large text of a card. */
async function titleOf(card: Card, code: string): Promise<string> {
  const texts = JSON.parse(await readFile(join(root, `locales/${code}.json`), 'utf8')) as Record<string, string>
  return texts[CARDS[card]] ?? ''
}

/** The colors of the cards, with the steps between them at the edges of letters and lines. */
const [PAPER, INK, WASH, TEAL] = [
  [246, 248, 247],
  [19, 36, 46],
  [224, 240, 239],
  [11, 111, 116],
] as const
const PALETTE = [
  ...ramp(PAPER, INK, 24),
  ...ramp(WASH, TEAL, 12),
  ...ramp(PAPER, TEAL, 12),
  ...ramp(PAPER, [109, 167, 172], 6),
  ...ramp(PAPER, [217, 138, 31], 6),
]

const HOST = 'http://fonts.test'

async function htmlOf(card: Card, code: string, dir: string, tag: string): Promise<string> {
  const families = FONTS.map((name) =>
    name
      .replace('noto-sans', 'Noto Sans')
      .replace(
        /-(\w+)$/,
        (_, each: string) =>
          ` ${each.length === 2 ? each.toUpperCase() : (each[0] ?? '').toUpperCase() + each.slice(1)}`,
      ),
  )
  const first = families.find((name) => name.endsWith(` ${OWN[code]}`))
  const ordered = ['Noto Sans', ...(first ? [first] : []), ...families.slice(1)]
  const stack = ordered.map((name) => `'${name}'`).join(',')
  return `<!doctype html><html lang="${tag}" dir="${dir}"><meta charset="utf-8">
${FONTS.map((name) => `<link rel="stylesheet" href="${HOST}/${name}/600.css">`).join('')}
<style>
body{margin:0;width:1200px;height:630px;background:#f6f8f7;color:#13242e;font:600 72px/1.25 ${stack};display:grid;grid-template-rows:auto 1fr 150px}
header{display:flex;align-items:center;gap:24px;padding:64px 80px 0;font-size:48px}
header svg{width:84px;height:84px}
h1{margin:0 80px;align-self:center;font:inherit;text-wrap:balance;overflow-wrap:break-word}
footer{background:#e0f0ef;position:relative;overflow:hidden}
footer i{position:absolute;inset-inline-end:80px;top:36px;width:440px;height:78px;border:3px solid #0b6f74;border-radius:50%}
footer i+i{inset-inline-end:210px;top:60px;width:180px;height:30px}
</style>
<header>${wing}<span>Mayfly</span></header><h1>${escapeHtml(await titleOf(card, code))}</h1><footer><i></i><i></i></footer>`
}

const browser = await launchBrowser()
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await page.route(`${HOST}/**`, (route) =>
  route.fulfill({
    path: join(fontFiles, new URL(route.request().url()).pathname),
    headers: { 'access-control-allow-origin': '*' },
  }),
)

/** The RGBA pixels of a PNG, decoded by the browser. */
async function pixelsOf(png: Buffer): Promise<Uint8Array> {
  const base64 = await page.evaluate<string>(`(async () => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob())
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    return new Uint8Array(context.getImageData(0, 0, image.width, image.height).data.buffer).toBase64()
  })()`)
  return Buffer.from(base64, 'base64')
}

for (const { code, dir, tag } of languages) {
  await mkdir(join(root, 'public/cards', code), { recursive: true })
  for (const card of Object.keys(CARDS) as Card[]) {
    await page.setContent(await htmlOf(card, code, dir, tag), { waitUntil: 'load' })
    await page.evaluate('document.fonts.ready')
    // A long title is set smaller.
    await page.evaluate(`(() => {
      const title = document.querySelector('h1')
      for (let size = 72; size > 36 && (title.scrollHeight > 290 || title.scrollWidth > 1040); size -= 4) title.style.fontSize = size + 'px'
    })()`)
    const pixels = await pixelsOf(await page.screenshot())
    await writeFile(join(root, 'public/cards', code, `${card}.png`), palettePng(pixels, 1200, PALETTE))
  }
}
await browser.close()

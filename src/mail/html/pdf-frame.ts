import { createHash } from 'node:crypto'

/**
 * Draws a PDF in a document with neither an origin nor network access, so that neither the file nor its parser can
 * reach anything. The page posts the file and the code of PDF.js, which runs in a worker here and asks the page for its
 * own fonts and tables. Pages are drawn when they come near the screen, with their text above them, which can be
 * selected and read out.
 */
const SCRIPT = `
const TIME_LIMIT = 20000
const PIXELS_MAX = 12e6
const files = new Map()
const report = (data) => parent.postMessage(data, '*')
const urlOf = (code) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))

/** Asks the page for a file of PDF.js. */
class Files {
  fetch({ kind, filename }) {
    const file = { cMapUrl: 'cmaps/', standardFontDataUrl: 'standard_fonts/', wasmUrl: 'wasm/' }[kind] + filename
    return new Promise((resolve, reject) => {
      files.set(file, (bytes) => (bytes ? resolve(bytes) : reject(new Error(file))))
      report({ file })
    })
  }
}

let worker
const within = (work) =>
  Promise.race([work, new Promise((_, reject) => setTimeout(() => reject(new Error('Too slow')), TIME_LIMIT))])
function fail(error) {
  worker?.terminate()
  report({ problem: error.name === 'PasswordException' ? 'password' : 'unreadable' })
}

async function show({ pdf, library, code, labels }) {
  const { getDocument, PDFWorker, TextLayer } = await import(urlOf(library))
  // A module worker does not start in a document without an origin.
  worker = new Worker(urlOf(code))
  const { promise } = getDocument({
    data: pdf,
    worker: PDFWorker.create({ port: worker }),
    BinaryDataFactory: Files,
    cMapUrl: 'cmaps/',
    wasmUrl: 'wasm/',
    useWorkerFetch: false,
    enableXfa: false,
    maxImageSize: 1e8,
    verbosity: 0,
  })
  const found = await within(promise)
  const pages = await within(
    Promise.all(Array.from({ length: Math.min(found.numPages, labels.length) }, (_, i) => found.getPage(i + 1))),
  )
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        near.unobserve(target)
        draw(pages[target.dataset.index], target, TextLayer).catch(fail)
      }
    },
    // The margin of the top window would not count in a frame of another origin.
    { root: document, rootMargin: '600px' },
  )
  for (const [i, page] of pages.entries()) {
    const { width, height } = page.getViewport({ scale: 1 })
    const sheet = document.createElement('section')
    sheet.dataset.index = i
    sheet.setAttribute('aria-label', labels[i])
    sheet.style.aspectRatio = width + ' / ' + height
    document.body.append(sheet)
    near.observe(sheet)
  }
  report({ shown: pages.length, total: found.numPages })
}

async function draw(page, sheet, TextLayer) {
  const natural = page.getViewport({ scale: 1 })
  const shown = sheet.clientWidth / natural.width
  const sharp = Math.min(shown * devicePixelRatio, Math.sqrt(PIXELS_MAX / (natural.width * natural.height)))
  const viewport = page.getViewport({ scale: sharp })
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(viewport.width)
  canvas.height = Math.ceil(viewport.height)
  canvas.setAttribute('aria-hidden', 'true')
  sheet.append(canvas)
  await within(page.render({ canvas, viewport }).promise)
  const text = document.createElement('div')
  text.className = 'text'
  const scale = () => text.style.setProperty('--total-scale-factor', sheet.clientWidth / natural.width)
  scale()
  addEventListener('resize', scale)
  sheet.append(text)
  await within(new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport: natural }).render())
  sheet.dataset.drawn = ''
}

addEventListener('message', ({ source, data }) => {
  if (source !== parent) return
  if (data.pdf) show(data).catch(fail)
  else files.get(data.file)?.(data.bytes)
})
report({ ready: true })
`

const STYLE = `
html { background: #e9edee; color-scheme: light }
body { display: grid; gap: 12px; margin: 0; padding: 12px; overflow-wrap: anywhere }
section { position: relative; overflow: clip; background: #fff; box-shadow: 0 1px 3px #0003 }
canvas { position: absolute; inset: 0; inline-size: 100%; block-size: 100% }
.text { position: absolute; inset: 0; overflow: clip; line-height: 1; text-align: initial; transform-origin: 0 0; --min-font-size: 1; --text-scale-factor: calc(var(--total-scale-factor) * var(--min-font-size)); --min-font-size-inv: calc(1 / var(--min-font-size)) }
.text :is(span, br) { position: absolute; color: transparent; white-space: pre; cursor: text; transform-origin: 0% 0% }
.text > :not(.markedContent), .text .markedContent span:not(.markedContent) { --font-height: 0; --scale-x: 1; --rotate: 0deg; font-size: calc(var(--text-scale-factor) * var(--font-height)); transform: rotate(var(--rotate)) scaleX(var(--scale-x)) scale(var(--min-font-size-inv)) }
.text .markedContent { display: contents }
.text ::selection { background: #0b6b7055 }
`

/** The document that draws PDFs. It is the same for every file. */
export const PDF_FRAME = `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><title>Mayfly</title><style>${STYLE}</style></head><body><script>${SCRIPT}</script></body></html>`

/** The Content-Security-Policy of that document: its own script, and the code that the page posts. It loads nothing. */
export const PDF_CSP = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}' blob: 'wasm-unsafe-eval'`,
  'worker-src blob:',
  'img-src blob: data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ')

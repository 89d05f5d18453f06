import { ATTRIBUTES, TAGS } from './allowed.ts'
import { documentCsp } from './frame-csp.ts'

/** Attributes of the copy in addition to those that affect only presentation. */
const COPIED = [...ATTRIBUTES, 'id', 'style', 'usemap']

/**
 * Measures a message without running or reading the frame that shows it. The page posts the sanitized document. A parser
 * whose documents never run or load anything reads it, and a copy is built element by element: only allowed names and
 * attributes, text as text, images of the message or of the proxy, links without a target. The copy is hidden, and the
 * script reports its size for the width that the page gives this frame. The page can also have it printed.
 */
const SCRIPT = `
const TAGS = new Set(${JSON.stringify(TAGS)})
const ATTRIBUTES = ${JSON.stringify(COPIED)}
const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })

/** A layer is above later style sheets where both are important. Nothing is drawn over what is printed above a message. */
const UNCOVERED = '@layer { html::before, html::after, html > div::before, html > div::after { content: none !important } }'

/**
 * The outermost boxes of the other direction than that of the document. They overflow where it does not scroll. Their
 * width includes what they contain.
 */
let turned = []

function copyInto(target, source) {
  const waiting = [[target, source]]
  for (let next; (next = waiting.pop()); ) {
    for (const node of next[1].childNodes) {
      if (node.nodeType === Node.TEXT_NODE) next[0].append(node.data)
      const tag = node.nodeType === Node.ELEMENT_NODE ? node.localName : ''
      if (tag === 'style') next[0].append(element('style', node.textContent))
      if (!TAGS.has(tag)) continue
      const copy = document.createElement(tag)
      for (const name of ATTRIBUTES) if (node.hasAttribute(name)) copy.setAttribute(name, node.getAttribute(name))
      const src = tag === 'img' ? node.getAttribute('src') : null
      if (src && /^(?:data:image\\/|\\/proxy\\?)/.test(src)) copy.src = src
      if (tag === 'a' && node.hasAttribute('href')) copy.href = '#'
      next[0].append(copy)
      waiting.push([copy, node])
    }
  }
}

function show(html) {
  const { documentElement: root, head, body } = new DOMParser().parseFromString(html, 'text/html')
  const styles = [...head.querySelectorAll('style')].map((style) => element('style', style.textContent))
  document.head.replaceChildren(element('style', UNCOVERED), ...styles, element('style', '@media screen { html { overflow: hidden !important } }'))
  document.documentElement.dir = root.dir
  // Added to the document as a whole: one by one, 16,000 elements take seconds.
  const copy = document.createDocumentFragment()
  copyInto(copy, body)
  document.body.replaceChildren(copy)
  const isRtl = getComputedStyle(document.documentElement).direction === 'rtl'
  /** Elements that a box around them cuts off, or that are moved out of the text, as hidden text often is. */
  const cut = new Set()
  const boxes = new Set()
  turned = [...document.body.querySelectorAll('*')].filter((each) => {
    const { direction, display, overflowX, position } = getComputedStyle(each)
    if (cut.has(each.parentElement) || overflowX !== 'visible' || position === 'absolute') cut.add(each)
    else if (boxes.has(each.parentElement)) boxes.add(each)
    else if ((direction === 'rtl') !== isRtl) {
      if (!/^(?:inline|contents)$/.test(display)) boxes.add(each)
      return true
    }
    return false
  })
}

/** How far an element reaches beyond the side at which the document does not scroll. */
function beyond(box) {
  const over = box.scrollWidth - box.clientWidth
  const left = box.getBoundingClientRect().left + box.clientLeft
  return getComputedStyle(box).direction === 'rtl' ? over - left : left + box.scrollWidth - innerWidth
}

function report() {
  const { documentElement: root, body } = document
  const [scrolled, height] = ['scrollWidth', 'scrollHeight'].map((side) => Math.max(root[side], body[side]))
  const width = turned.reduce((widest, box) => Math.max(widest, scrolled + beyond(box)), scrolled)
  // What overflows covers the padding at the end.
  const padding = width > innerWidth ? parseFloat(getComputedStyle(body).paddingRight) || 0 : 0
  parent.postMessage({ at: innerWidth, width: width + padding, height }, '*')
}

let isWaiting = false

/** Reports once for images that load at the same time, because a report lays out the message. */
function reportSoon() {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    report()
  }, 50)
}

/** Sets styles above those of all style sheets. */
const fix = ({ style }, styles) => {
  for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important')
}

/**
 * Prints the copy below lines that no style of the message hides, covers or changes: they are outside of the body, which
 * is a layer below them, and in a shadow tree, where its selectors do not apply. They are a grid, because
 * ::first-line and ::first-letter do not apply to grids.
 */
function printAll(lines) {
  const { documentElement: root, body } = document
  const { fontSize, fontFamily, direction } = getComputedStyle(root)
  fix(root, { all: 'initial', display: 'block', 'font-size': fontSize, 'font-family': fontFamily, direction, 'overflow-wrap': 'break-word' })
  fix(body, { position: 'relative', 'z-index': 0 })
  const head = element('div', '')
  fix(head, { all: 'initial', direction, 'unicode-bidi': 'isolate', display: 'grid', position: 'relative', 'z-index': 2147483647, margin: '0 16px', padding: '16px 0 12px', 'border-bottom': '1px solid #999', background: '#fff', color: '#000', font: '13px/1.5 system-ui, sans-serif' })
  const shadow = head.attachShadow({ mode: 'closed' })
  for (const [i, line] of lines.entries()) {
    const shown = element('div', line)
    shown.dir = 'auto'
    if (i === 0) shown.style.cssText = 'font-size: 18px; font-weight: 600'
    shadow.append(shown)
  }
  body.before(head)
  print()
  head.remove()
  for (const each of [root, body]) each.removeAttribute('style')
}

addEventListener('message', ({ source, data }) => {
  if (source !== parent) return
  if (data.print) return printAll(data.print)
  show(data.html)
  report()
})
addEventListener('resize', report)
for (const type of ['load', 'error']) document.addEventListener(type, ({ target }) => target.localName === 'img' && reportSoon(), true)
parent.postMessage({ ready: true }, '*')
`

/** The document that measures messages. It is the same for every message. */
export const MEASURE_FRAME = `<!doctype html><html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Mayfly</title></head><body><script>${SCRIPT}</script></body></html>`

/** The sandbox of that document: its own script, without an origin. The dialog is that of the printer. */
export const MEASURE_SANDBOX = 'allow-scripts allow-modals'

/** The Content-Security-Policy of that document: only its own script runs, and only images of the message are loaded. */
export const measureFrameCsp = (remote: boolean): string =>
  documentCsp({ sandbox: MEASURE_SANDBOX, script: SCRIPT, remote })

/** Colors of the site, which a page can't change from outside of the shadow tree. */
const STYLE = `
:host { all: initial !important; position: absolute !important; inset: 0 auto auto 0 !important; z-index: 2147483647 !important; inline-size: 0 !important; block-size: 0 !important; }
* { box-sizing: border-box; }
.row { position: absolute; display: flex; align-items: center; gap: 2px; color-scheme: light dark; font: 600 14px/1.25 system-ui, sans-serif; }
button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; margin: 0; padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; }
button:focus-visible { outline: 2px solid light-dark(#0b6f74, #63cfce); outline-offset: 1px; }
.mark { inline-size: 24px; block-size: 24px; border-radius: 8px; }
.mark:hover { background: light-dark(#e0f0ef, #123238); }
.off { inline-size: 18px; block-size: 18px; border-radius: 50%; background: light-dark(#eef3f2, #1b313d); color: light-dark(#4b606b, #a3b8c0); font-size: 12px; opacity: 0; }
.row:hover .off, .off:focus-visible { opacity: 1; }
.chip { min-block-size: 36px; padding: 6px 14px; border-radius: 12px; background: #f0a437; color: #2a1a00; box-shadow: 0 4px 16px #0005; white-space: nowrap; font-variant-numeric: tabular-nums; }
.fixed { position: fixed; inset-block-end: 16px; inset-inline-end: 16px; }
.bar { position: fixed; inset-block-start: 16px; inset-inline: 16px; max-inline-size: 560px; margin-inline: auto; padding: 12px 16px; gap: 16px; border: 1px solid light-dark(#c4d2d2, #37535f); border-radius: 16px; background: light-dark(#ffffff, #132530); color: light-dark(#13242e, #e7eff1); box-shadow: 0 4px 24px #0005; }
.bar span { flex: 1; }
`

export interface Shell {
  root: ShadowRoot
  host: HTMLElement
}

/** A closed shadow tree beside the content of the page: the page can neither read it nor change its style. */
export function openShell(direction: string): Shell {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'closed' })
  const style = document.createElement('style')
  style.textContent = STYLE
  root.append(style)
  host.dir = direction
  document.documentElement.append(host)
  return { root, host }
}

/**
 * Whether the buttons are visible: the page may make its root element transparent, or move the buttons into a
 * transparent element, so that a visitor clicks them without noticing.
 */
function isPlainlyVisible(element: HTMLElement): boolean {
  const { host } = element.getRootNode() as ShadowRoot
  if (host.parentNode !== document.documentElement) return false
  const { opacity, filter, clipPath } = getComputedStyle(document.documentElement)
  return Number(opacity) > 0.5 && filter === 'none' && clipPath === 'none'
}

/** A button that ignores events dispatched by scripts of the page. */
export function button(name: string, label: string, onClick: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = name
  element.title = label
  element.setAttribute('aria-label', label)
  element.addEventListener('click', (event) => {
    event.preventDefault()
    event.stopPropagation()
    if (event.isTrusted && isPlainlyVisible(element)) onClick()
  })
  // The field keeps the focus.
  element.addEventListener('mousedown', (event) => event.preventDefault())
  return element
}

const SVG = 'http://www.w3.org/2000/svg'
const WINGS = [
  ['light-dark(#0b6f74, #63cfce)', 'M30.4 37.2C19.6 35.8 8.8 27.2 6 10.4c14.6 1.8 24 11.2 25.2 24.4z'],
  ['light-dark(#0b6f74aa, #63cfceaa)', 'M34 37.2c2.4-11.2 11.2-19.4 24-20.8-1.8 13.2-10 20.4-22.8 22z'],
  ['#f0a437', 'M30.6 36.4c4.4 3 8.4 9.2 9.8 20-5.400-5-9.800-11.800-11.800-18.400z'],
] as const

export function logo(size: number): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 64 64')
  svg.setAttribute('width', String(size))
  svg.setAttribute('height', String(size))
  svg.setAttribute('aria-hidden', 'true')
  for (const [fill, d] of WINGS) {
    const path = document.createElementNS(SVG, 'path')
    path.style.fill = fill
    path.setAttribute('d', d)
    svg.append(path)
  }
  return svg
}

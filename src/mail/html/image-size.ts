import type { Attributes } from 'sanitize-html'

/** Declarations in styles that `cleanStyle` has printed. */
const SIZES = /(?:^|;)(width|height|object-fit|aspect-ratio):([^;]*)/gi
/** A length in pixels, or a 0. Other numbers without a unit are invalid in CSS. */
const PIXELS = /^(?:(\d{1,9}(?:\.\d{1,9})?)px|0+)(!important)?$/i
const INVALID = /^\d+(?:\.\d+)?(?:!important)?$/
/** The number at the start of an attribute, and whether it is a percentage (HTML standard 2.3.4.4). */
const DIMENSION = /^\s*(\d{1,9}(?:\.\d{1,9})?)(%?)/

interface Size {
  pixels?: number
  important?: boolean
}

/** The size of a declaration: empty unless it is in pixels, undefined if browsers ignore it. */
function declared(value: string | undefined): Size | undefined {
  if (value === undefined) return undefined
  const [match, pixels = '0', important] = PIXELS.exec(value) ?? []
  if (match !== undefined) return { pixels: Number(pixels), important: important !== undefined }
  return INVALID.test(value) ? undefined : {}
}

function ofAttribute(value = ''): Size | undefined {
  const [match, number, percent] = DIMENSION.exec(value) ?? []
  if (match === undefined) return undefined
  return percent ? {} : { pixels: Number(number) }
}

/** The style of an image that keeps its own height, as `STYLE` of frame.ts expects it. */
export const OWN_HEIGHT = 'object-fit:contain'

/**
 * Completes the style of an image for a page that shrinks it to its own width and sets `height: auto`. Alone, that would
 * show a line or a spacer, often made of one pixel, as a square. With width and height in pixels, the image keeps their
 * ratio. If only the height is in pixels, it is the limit, and without any width it stays. `style` is sanitized.
 */
export function imageStyle({ width, height }: Attributes, style = ''): string {
  const own = new Map([...style.matchAll(SIZES)].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]))
  if (own.has('object-fit') || own.has('aspect-ratio')) return style
  const ownHeight = declared(own.get('height'))
  const high = (ownHeight ?? ofAttribute(height))?.pixels
  if (high === undefined) return style
  const ownWidth = declared(own.get('width'))
  const isAuto = /^auto\b/i.test(own.get('width') ?? '')
  const wide = isAuto ? undefined : (ownWidth?.pixels ?? ofAttribute(width)?.pixels)
  const hasWidth = !isAuto && (ownWidth ?? ofAttribute(width)) !== undefined
  const join = (...parts: string[]): string => parts.filter(Boolean).join(';')
  if (!hasWidth || wide === 0) return join(OWN_HEIGHT, style)
  const auto = ownHeight ? `height:auto${ownHeight.important ? '!important' : ''}` : ''
  return join(wide !== undefined && high > 0 ? `aspect-ratio:${wide}/${high}` : `max-height:${high}px`, style, auto)
}

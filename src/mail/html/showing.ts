import { isDeclarations } from './css.ts'

/** How the text in an element is shown, as far as its `style` attribute tells. */
interface Showing {
  /** Nothing in the element is visible. */
  readonly hides: boolean
  /** The same, if the element is a box that is not part of a table: it has no height and cuts off what is in it. */
  readonly cuts: boolean
  /** The value of `display`. Undefined: that of its name. */
  readonly display: string | undefined
  /** Undefined: as around it. Elements in it may have another visibility. */
  readonly visible: boolean | undefined
  /** Whether its text has a size above 0. Undefined: as around it. */
  readonly sized: boolean | undefined
  /** Whether it is on lines of its own, or a box beside other words. */
  readonly box: 'lines' | 'beside' | undefined
}

/** Returns a description. All are made here, so that they have the same properties in the same order, which is faster. */
const showing = (
  sized?: boolean,
  { hides = false, cuts = false, display, visible, box }: Partial<Showing> = {},
): Showing => ({
  hides,
  cuts,
  display,
  visible,
  sized,
  box,
})

/** How an element without a `style` is shown. */
export const UNSTYLED = showing()
const SIZED = showing(true)
const TINY = showing(false)

/** A style without any of these has at most a size. */
const MORE = /display|visib|opacity|max-height|(?:^|[^-])height|float|indent|clip|position|font(?!-)/i
const FONT_SIZE = /font-size(?<![\w-]font-size)\s*:\s*([^;!]+)/i
/** A declaration that hides or separates text, in lower case. Not the end of another one, as of `backface-visibility`. */
const DECLARATION =
  /(?<![\w-])(display|visibility|opacity|(?:max-|min-)?height|overflow(?:-y)?|padding(?:-top|-bottom)?|font(?:-size)?|position|left|top|text-indent|clip(?:-path)?|float|animation(?:-name)?)\s*:\s*([^;!]+)(!)?/g
const COMMENT = /\/\*[^]*?(?:\*\/|$)/g
const DISPLAY =
  /^(?:none|contents|inline|block|flow|(?:inline-)?(?:flex|grid|table|block)|table|list-item|initial|inherit|unset|revert|-(?:webkit|moz|ms)-)/
const LINES = /^(?:block|flow|flex|grid|table|list-item|-\w+-(?:box|flex))/
const BESIDE = /^(?:inline-|-\w+-inline)/
export const FLEX = /^(?:inline-)?(?:flex|grid)/
/** The size in a `font`: the first number with a unit, or a zero, with a family behind it. */
const SIZE_IN_FONT =
  /(?:^|\s)(0|[\d.]+(?:[a-z]+|%)|(?:x{1,3}-)?(?:small|large)|medium|smaller|larger)(?=\s*\/|\s+[^\s/])/
const SYSTEM_FONT = /^(?:caption|icon|menu|message-box|small-caption|status-bar|initial)$/
/** Sizes that depend on the one around them. */
const RELATIVE = /^(?:inherit|unset|smaller|larger)$|[\d.](?:em|ex|ch|lh|%)$/
const CUTS = /hidden|clip|auto|scroll/
/** At most one pixel, or nothing at all. */
const NO_RECTANGLE = /^rect\((?:[\s,]*[01](?:px)?)+\s*\)/
const NO_INSET = /^inset\(\s*(?:50|100)%/
/** Content that is moved at least this far to the left or to the top, in pixels, is hidden on purpose. */
const OUTSIDE = -500

const isZero = (value = ''): boolean => Number.parseFloat(value) === 0
const isOutside = (value = ''): boolean => Number.parseFloat(value) <= OUTSIDE

/** Returns whether a size is above 0, null if it depends on the size around it. Undefined if it is no size. */
function isSized(value: string): boolean | null | undefined {
  const size = Number.parseFloat(value)
  if (size === 0) return false
  if (size < 0) return undefined
  if (size >= 1 && value.endsWith('px')) return true
  if (RELATIVE.test(value)) return null
  // Less than a pixel is not visible.
  return !(size < 1 && /\d(?:px|pt)$/.test(value))
}

/** Like `isSized`, for the value of `font`. */
function isFontSized(value: string): boolean | null | undefined {
  const [, size] = SIZE_IN_FONT.exec(value) ?? []
  if (size !== undefined) return isSized(size)
  return SYSTEM_FONT.test(value) ? true : RELATIVE.test(value) ? null : undefined
}

/** The last valid declaration of each property, or the last important one. */
function declarationsOf(style: string): Map<string, string> {
  const values = new Map<string, string>()
  const important = new Set<string>()
  DECLARATION.lastIndex = 0
  for (let found = DECLARATION.exec(style); found; found = DECLARATION.exec(style)) {
    const [, property = '', text = '', mark] = found
    let name = property
    let value = text.trimEnd()
    if (property === 'display' && !DISPLAY.test(value)) continue
    if (property === 'font' || property === 'font-size') {
      const sized = property === 'font' ? isFontSized(value) : isSized(value)
      if (sized === undefined) continue
      name = 'font'
      value = String(sized)
    }
    if (mark) important.add(name)
    else if (important.has(name)) continue
    values.set(name, value)
  }
  return values
}

/** Whether a box has no height, and does not show what is outside of it. */
function cutsOff(values: ReadonlyMap<string, string>): boolean {
  if (!CUTS.test(values.get('overflow') ?? values.get('overflow-y') ?? '')) return false
  const isPadded = ['padding', 'padding-top', 'padding-bottom'].some((name) => /[1-9]/.test(values.get(name) ?? ''))
  const isFlat = isZero(values.get('height')) && !isPadded
  return (isFlat || isZero(values.get('max-height'))) && !/[1-9]/.test(values.get('min-height') ?? '')
}

/** Whether a box is moved outside of the page, or cut to a corner. */
function isAside(values: ReadonlyMap<string, string>): boolean {
  const position = values.get('position')
  const isAbsolute = position === 'absolute'
  return (
    ((isAbsolute || position === 'relative') && (isOutside(values.get('left')) || isOutside(values.get('top')))) ||
    isOutside(values.get('text-indent')) ||
    (isAbsolute && NO_RECTANGLE.test(values.get('clip') ?? '')) ||
    NO_INSET.test(values.get('clip-path') ?? '')
  )
}

/**
 * Returns how a `style` shows text in the frame of a message, which has no animations. Senders hide the preview of a
 * message, and characters that only programs are meant to read.
 */
function read(style: string): Showing {
  if (!isDeclarations(style)) return UNSTYLED
  const text = style.toLowerCase()
  const values = declarationsOf(text.includes('/*') ? text.replace(COMMENT, ' ') : text)
  const display = values.get('display')
  const sized = values.get('font')
  const animation = values.get('animation-name') ?? values.get('animation')
  const isStill = animation === undefined || /^(?:none|initial|unset)\b/.test(animation)
  const visibility = values.get('visibility')
  return showing(sized === 'true' ? true : sized === 'false' ? false : undefined, {
    hides: display === 'none' || (isStill && Number.parseFloat(values.get('opacity') ?? '') <= 0) || isAside(values),
    cuts: cutsOff(values),
    display,
    visible:
      visibility === 'visible' || (isStill && /^(?:hidden|collapse)$/.test(visibility ?? '') ? false : undefined),
    box: boxOf(display, values),
  })
}

function boxOf(display = '', values: ReadonlyMap<string, string>): Showing['box'] {
  if (BESIDE.test(display) || values.get('position') === 'absolute') return 'beside'
  if (/^(?:left|right)$/.test(values.get('float') ?? '')) return 'beside'
  return LINES.test(display) ? 'lines' : undefined
}

/** Reads a style, most of which have no more than a size, in one step. */
function readShort(style: string): Showing {
  const size = FONT_SIZE.exec(style)
  if (MORE.test(style) || (size && style.includes('size', size.index + 9))) return read(style)
  const sized = size?.[1] === undefined ? undefined : isSized(size[1].trimEnd().toLowerCase())
  return sized === true ? SIZED : sized === false ? TINY : UNSTYLED
}

/** The style that was read last. Each is asked for by several readers, and the next element often has the same. */
let last = { style: '', showing: UNSTYLED }

/** Returns how a `style` attribute shows text in the frame of a message. */
export function showingOf(style: string): Showing {
  if (style !== last.style) last = { style, showing: readShort(style) }
  return last.showing
}

import { showingOf } from '../html/showing.ts'
import { type Collector, VOID } from '../html/to-text.ts'
import { plain } from './digits.ts'

/** How a short text of a message is shown. */
interface Look {
  /** In pixels. 0: not set. */
  size: number
  bold: boolean
  /** With space between its letters. */
  spaced: boolean
  /** In letters of the same width. */
  mono: boolean
  /** Alone in an element with a border or a background. */
  boxed: boolean
  /** In an element with a class such as `otp`. */
  named: boolean
}

/** How the short texts of a message are shown, by the form of a candidate's value. */
export interface Looks {
  of: ReadonlyMap<string, Look>
  /** The largest size of any text, and the size of most of the text. */
  largest: number
  usual: number
  /** The hidden text at the beginning, which mail clients show beside the subject. */
  preheader: string
}

export const NO_LOOKS: Looks = { of: new Map(), largest: 0, usual: 0, preheader: '' }

const PROPERTY =
  /(?:^|[;\s])(font-size|font-weight|letter-spacing|font-family|background(?:-color)?|border|font)\s*:\s*([^;]+)/gi
const CLASS_RULE = /\.([\w-]+)\s*\{([^{}]*)\}/g
/** Pixels of the text in an element. */
const TAG_SIZES = new Map([
  ['h1', 32],
  ['h2', 24],
  ['h3', 19],
  ['big', 18],
])
/** Pixels of `<font size>`. */
const FONT_SIZES = [0, 10, 13, 16, 18, 24, 32, 48]
const BOLD_TAGS = new Set(['h1', 'h2', 'h3', 'h4', 'strong', 'b', 'mark'])
const MONO_TAGS = new Set(['code', 'pre', 'kbd', 'samp', 'tt'])
const CODE_CLASS = /code|otp|passcode|(?:^|[-_\s])pin(?:$|[-_\s])|token/i
const UNSEEN = new Set(['script', 'title', 'head', 'template'])
/** Characters of the longest text that may be a code. */
const MAX_TEXT = 40
const MAX_STYLES = 20_000
const MAX_PREHEADER = 400
const MAX_DEPTH = 2000
/** Pixels of a text that has no size. */
const USUAL = 16
/** Pixels of a size unit. */
const PIXELS: Record<string, number> = { px: 1, pt: 4 / 3, em: 16, rem: 16, '%': 0.16 }

interface Open extends Look {
  depth: number
  text: string
}

const sizeOf = (value: string): number => {
  // Digits have one way to match, so that a long number is read in linear time.
  const [, number = '', unit = ''] = /(?<![\d.])(\d+(?:\.\d+)?|\.\d+)\s*(px|pt|r?em|%)/i.exec(value) ?? []
  return number === '' ? 0 : Number(number) * (PIXELS[unit.toLowerCase()] ?? 0)
}

/** Applies a style to a look. Returns whether it changed. */
function apply(style: string, look: Open): boolean {
  let changed = false
  PROPERTY.lastIndex = 0
  for (let found = PROPERTY.exec(style); found; found = PROPERTY.exec(style)) {
    const name = (found[1] as string).toLowerCase()
    const value = found[2] as string
    changed = true
    if (name === 'font-size' || name === 'font') look.size = sizeOf(value) || look.size
    if (name === 'font-weight' || name === 'font')
      look.bold = /bold|[6-9]00/i.test(value) || (name === 'font' && look.bold)
    if (name === 'font-family' || name === 'font') look.mono = /mono|courier|consolas|menlo/i.test(value)
    if (name === 'letter-spacing') look.spaced = /^\s*0*[.]?[1-9]/.test(value) && !/^\s*0?\.[0-4]\d*px/.test(value)
    if (name === 'border') look.boxed ||= !/^\s*(?:0|none)/i.test(value)
    if (name.startsWith('background')) look.boxed ||= !/^\s*(?:transparent|none|#fff(?:fff)?\s*$|white)/i.test(value)
  }
  return changed
}

/** Collects how short texts of HTML are shown. */
export function collectLooks(): Collector<Looks> {
  const of = new Map<string, Look>()
  const classes = new Map<string, string>()
  const open: Open[] = []
  /** How many characters have which size. */
  const sizes = new Map<number, number>()
  let preheader = ''
  let styles = 0
  let depth = 0
  let inStyle = false
  /** Depth of the outermost element that is not shown. 0: none. */
  let hiddenAt = 0
  let unseenAt = 0
  const styleOf = (style: string, names: string): string => {
    if (names === '' || classes.size === 0) return style
    const rules = names.split(/\s+/).flatMap((name) => classes.get(name) ?? [])
    return rules.length === 0 ? style : `${rules.join(';')};${style}`
  }
  const close = (frame: Open): void => {
    if (frame.text === '' || frame.text.length >= MAX_TEXT) return
    const key = keyOf(frame.text)
    const known = of.get(key)
    of.set(key, {
      size: Math.max(frame.size, known?.size ?? 0),
      bold: frame.bold || (known?.bold ?? false),
      spaced: frame.spaced || (known?.spaced ?? false),
      mono: frame.mono || (known?.mono ?? false),
      boxed: frame.boxed || (known?.boxed ?? false),
      named: frame.named || (known?.named ?? false),
    })
  }
  const handler: Collector<Looks>['handler'] = {
    onopentag(name, { style = '', class: names = '', bgcolor, size }) {
      if (VOID.has(name)) return
      depth++
      inStyle = name === 'style'
      if (unseenAt === 0 && UNSEEN.has(name)) unseenAt = depth
      if (depth > MAX_DEPTH) return
      const all = styleOf(style, names)
      if (hiddenAt === 0 && all !== '') {
        const { hides, cuts, visible } = showingOf(all)
        if (hides || cuts || visible === false) hiddenAt = depth
      }
      const tagSize = TAG_SIZES.get(name)
      const bold = BOLD_TAGS.has(name)
      const mono = MONO_TAGS.has(name)
      const boxed = bgcolor !== undefined && !/^#fff(?:fff)?$|white/i.test(bgcolor)
      const named = names !== '' && CODE_CLASS.test(names)
      const differs = bold || mono || boxed || named || tagSize !== undefined || size !== undefined
      if (!differs && all === '') return
      const above = open.at(-1)
      const frame: Open = {
        depth,
        text: '',
        size: tagSize ?? (name === 'font' ? FONT_SIZES[Number(size)] : undefined) ?? above?.size ?? 0,
        bold: bold || (above?.bold ?? false),
        spaced: above?.spaced ?? false,
        mono: mono || (above?.mono ?? false),
        boxed,
        named,
      }
      if ((all !== '' && apply(all, frame)) || differs) open.push(frame)
    },
    ontext(text) {
      if (inStyle) {
        styles += text.length
        if (styles <= MAX_STYLES)
          for (const [, name = '', rule = ''] of text.matchAll(CLASS_RULE)) classes.set(name, rule)
        return
      }
      if (unseenAt !== 0 || !/\S/.test(text)) return
      if (hiddenAt !== 0) {
        if (preheader.length < MAX_PREHEADER) preheader += ` ${text.trim().slice(0, MAX_PREHEADER)}`
        return
      }
      const size = open.at(-1)?.size ?? 0
      if (/[\p{L}\p{N}]/u.test(text)) sizes.set(size, (sizes.get(size) ?? 0) + text.length)
      if (open.length === 0) return
      const beginning = text.slice(0, MAX_TEXT).trim()
      // All elements around have at least as much text.
      for (let i = open.length - 1; i >= 0; i--) {
        const frame = open[i] as Open
        if (frame.text.length >= MAX_TEXT) break
        frame.text += beginning
      }
    },
    onclosetag(name) {
      if (VOID.has(name)) return
      if (name === 'style') inStyle = false
      const top = open.at(-1)
      if (top?.depth === depth) {
        close(top)
        open.pop()
      }
      if (hiddenAt === depth) hiddenAt = 0
      if (unseenAt === depth) unseenAt = 0
      depth--
    },
  }
  const result = (): Looks => {
    const [usual = 0] = [...sizes].toSorted(([, a], [, b]) => b - a)[0] ?? []
    return { of, largest: Math.max(0, ...sizes.keys()), usual: usual || USUAL, preheader: preheader.trim() }
  }
  return { handler, result }
}

/** Returns how a value is shown. */
export const lookOf = ({ of }: Looks, value: string): Look | undefined => of.get(value.replace(/\s/g, ''))

/** Converts a short text to the form of a candidate's value: ASCII digits, no white space, no dash between digits. */
const keyOf = (text: string): string => {
  const compact = plain(text)
    .replace(/\s+/g, '')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  return /^[A-Z]{0,3}[\d-]+$|^\d{3}[–·•./,]\d{3}$/.test(compact) ? compact.replace(/\D/g, '') : compact
}

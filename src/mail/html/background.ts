import { parseCss } from './css-syntax.ts'

const COLOR_FUNCTION = /^(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch))\(([\w\s.,/%+-]*)\)$/
/** A `#` with 3 or 6 digits, those with an opacity of 1 too, or a word, such as the name of a color. */
const PLAIN_COLOR = /^(?:#(?:[\da-f]{3}f?|[\da-f]{6}(?:ff)?)|[a-z]+)$/
const OPAQUE = /^(?:1(?:\.0*)?|100(?:\.0*)?%)$/
/** Words in a background that are no opaque color. Browsers ignore other words that are no color. */
const NO_COLOR = new Set(
  `auto bottom center contain cover currentcolor fixed inherit initial left local none repeat revert right round scroll
  space text top transparent unset`.split(/\s+/),
)
/** What is between spaces: a word, or a function, such as a gradient, with the functions in it. */
const WORD = /[^\s,()]+(?:\((?:[^()]|\([^()]*\))*\))?/g
/** The longest value that is searched for a color, in characters without URLs. */
const MAX_VALUE = 1000
const URL = /url\("[^"]*"\)/g

/** Whether a word is a color that nothing shows through. */
function isOpaque(word: string): boolean {
  const [, values] = COLOR_FUNCTION.exec(word) ?? []
  if (values === undefined) return PLAIN_COLOR.test(word) && !NO_COLOR.has(word)
  const [, , , opacity = '1'] = values.trim().split(/[\s,/]+/)
  return OPAQUE.test(opacity)
}

/**
 * Returns the color of the background that declarations of `cleanStyle` set. Null if there is none, or if something shows
 * through it. It has only letters, digits, `#` and what is between the parentheses of a function.
 */
export function backgroundOf(style: string): string | null {
  let color: string | null = null
  let important = false
  for (const node of parseCss(style)) {
    if (!('declaration' in node)) continue
    const { declaration } = node
    const colon = declaration.indexOf(':')
    if (!/^background(?:-color)?$/i.test(declaration.slice(0, colon))) continue
    const value = declaration
      .slice(colon + 1)
      .replace(URL, ' ')
      .toLowerCase()
    const wins = value.endsWith('!important')
    if (important && !wins) continue
    important = wins
    const words = value.length > MAX_VALUE ? [] : (value.replace('!important', '').match(WORD) ?? [])
    const colors = words.filter(isOpaque)
    color = colors.length === 1 ? (colors[0] ?? null) : null
  }
  return color
}

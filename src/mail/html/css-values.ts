const GLOBAL = 'inherit|initial|unset|revert|revert-layer'
const STRING = `"[^"]*"|'[^']*'`
const STRINGS = new RegExp(STRING, 'g')
const WORD = /[\p{L}\p{N}]/u

/** Properties of which only these values are kept. Variables are not among them: they could have any value. */
const ALLOWED = new Map([
  // `fixed` and `sticky` could cover the page if an API client shows the message without a frame.
  ['position', /^(?:static|relative|absolute|inherit|initial|unset)$/i],
  // Overrides show the letters of a link in another order than the one that is checked.
  ['unicode-bidi', new RegExp(`^(?:normal|embed|isolate|plaintext|${GLOBAL})$`, 'i')],
  // Counters only in digits, because letters can be spelled with others. \u0001 stands for an image.
  [
    'content',
    new RegExp(
      String.raw`^(?:[\u0001\s/,]|${STRING}|normal|none|${GLOBAL}|(?:no-)?(?:open|close)-quote|counter\(\s*[\w-]+\s*\)|counters\(\s*[\w-]+\s*,\s*(?:${STRING})\s*\))+$`,
      'i',
    ),
  ],
])
/** Properties whose strings are names. Those of any other may be shown. */
const HAS_NAMES = /^(?:font|grid|mso-|-webkit-font)/i

/**
 * Whether the value of a property can neither show words that are not in the HTML nor move content out of its place. A link
 * would lead elsewhere than its text says if style sheets wrote it.
 */
export const isHonest = (property: string, value: string): boolean =>
  (ALLOWED.get(property.toLowerCase())?.test(value) ?? true) &&
  (HAS_NAMES.test(property) || !value.match(STRINGS)?.some((string) => WORD.test(string)))

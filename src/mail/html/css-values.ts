const GLOBAL = 'inherit|initial|unset|revert|revert-layer'
const STRING = `"[^"]*"|'[^']*'`
const STRINGS = new RegExp(STRING, 'g')
/** Letters and digits, also those in circles, squares and parentheses. */
const WORD = /[\p{Alphabetic}\p{N}\p{RI}\u249c-\u24b5]/u
/** The bullet of the second level in Word and Google Docs. */
const BULLET = /^["']\s*o\s*["']$/
/** Styles of the counters of lists, which need no words of the author. */
const LIST_STYLE = 'disc|circle|square|none|decimal(?:-leading-zero)?|(?:lower|upper)-(?:alpha|latin|roman)'

/** Properties of which only these values are kept. Variables are not among them: they could have any value. */
const ALLOWED = new Map([
  // `fixed` and `sticky` could cover the page if an API client shows the message without a frame.
  ['position', /^(?:static|relative|absolute|inherit|initial|unset)$/i],
  // Overrides show the letters of a link in a different order from the one that is checked.
  ['unicode-bidi', new RegExp(`^(?:normal|embed|(?:-webkit-|-moz-)?(?:isolate|plaintext)|${GLOBAL})$`, 'i')],
  // \u0001 stands for an image.
  [
    'content',
    new RegExp(
      String.raw`^(?:[\u0001\s/,]|${STRING}|normal|none|${GLOBAL}|(?:no-)?(?:open|close)-quote|counter\(\s*[\w-]+\s*(?:,\s*(?:${LIST_STYLE})\s*)?\)|counters\(\s*[\w-]+\s*,\s*(?:${STRING})\s*(?:,\s*(?:${LIST_STYLE})\s*)?\))+$`,
      'i',
    ),
  ],
])
/** Properties whose strings are shown. */
const SHOWS_STRINGS = /^(?:-\w+-)?(?:content|quotes|list-style|text-overflow|hyphenate-character|text-emphasis)/i
/** Functions that could return a string from elsewhere. */
const VARIABLE = /(?:var|env|inherit)\s*\(/i

/**
 * Whether the value of a property is kept: it can neither show words that are not in the HTML nor move content out of its
 * place. A link would lead elsewhere than its text says if style sheets wrote it.
 */
export const isAllowedValue = (property: string, value: string): boolean =>
  (ALLOWED.get(property.toLowerCase())?.test(value) ?? true) &&
  (!SHOWS_STRINGS.test(property) ||
    !(VARIABLE.test(value) || value.match(STRINGS)?.some((string) => WORD.test(string) && !BULLET.test(string))))

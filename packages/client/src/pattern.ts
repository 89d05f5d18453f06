/**
 * A text matches any part of the value, ignoring case. A `RegExp` runs on the service, which has neither lookaround nor
 * backreferences. It may have the flags i, m and s; d, g and u make no difference. `query` is sent as the API takes it:
 * a text, or an expression in RE2 syntax between slashes, such as `/^Your code/i`.
 */
export type Pattern = string | RegExp | { query: string }

/** The texts that the service takes for an expression. */
const EXPRESSION = /^\/.+\/[ims]*$/s
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g
/** The flags of RE2, and those that don't change whether a text matches. */
const FLAGS = { sent: 'ims', ignored: 'dgu' }

/** What may differ between the syntaxes: escapes, lookaround and classes. */
const TOKEN =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\u\{[\da-fA-F]+\}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[^]|\(\?<?[=!]|\[\^?\]?|\]/gu
/** Letters that mean the same in both syntaxes after a backslash. RE2 refuses others or gives them a meaning. */
const SHARED_LETTER = /^\\[bBdDfnrsStvwWpP]$/
const NEEDLESS_ESCAPE = /^\\(?:[a-zA-Z]|\P{ASCII})$/u

/** Returns the value of a condition as the API takes it. Throws `TypeError` if the service can't run an expression. */
export function queryValue(pattern: Pattern): string {
  if (typeof pattern === 'string') return EXPRESSION.test(pattern) ? `/${pattern.replace(SYNTAX, '\\$&')}/i` : pattern
  if (!(pattern instanceof RegExp)) return pattern.query
  const flags = [...pattern.flags]
  const refused = flags.find((flag) => !(FLAGS.sent + FLAGS.ignored).includes(flag))
  if (refused !== undefined) fail(pattern, `the flag ${refused} is not supported`)
  return `/${translate(pattern)}/${flags.filter((flag) => FLAGS.sent.includes(flag)).join('')}`
}

/** Translates an expression to the syntax of RE2 (https://github.com/google/re2/wiki/Syntax). */
function translate(pattern: RegExp): string {
  let inClass = false
  return pattern.source.replace(TOKEN, (token) => {
    if (token.startsWith('\\')) return inClass && token === '\\b' ? hex(8) : translateEscape(token, pattern)
    if (token.startsWith('(')) return inClass ? token : fail(pattern, 'lookaround is not supported')
    const wasInClass = inClass
    inClass = !token.endsWith(']')
    if (wasInClass) return token.replace('[', '\\[')
    // RE2 takes a bracket at the start of a class for a member of it.
    if (token === '[]') return '[^\\x00-\\x{10ffff}]'
    if (token === '[^]') return '[\\x00-\\x{10ffff}]'
    return token
  })
}

function translateEscape(token: string, pattern: RegExp): string {
  if (/^\\(?:[1-9]|k)/.test(token)) return fail(pattern, 'backreferences are not supported')
  if (/^\\c./.test(token)) return hex(token.charCodeAt(2) % 32)
  if (/^\\u./.test(token)) {
    // Without the flag u, it is the letter u, repeated.
    if (token.includes('{') && !pattern.unicode) return fail(pattern, `${token} needs the flag u`)
    const units = token.split('\\u').slice(1)
    const text = String.fromCodePoint(...units.map((digits) => parseInt(digits.replace('{', ''), 16)))
    return /\p{Surrogate}/u.test(text)
      ? fail(pattern, `${token} is half of a character`)
      : hex(text.codePointAt(0) ?? 0)
  }
  return NEEDLESS_ESCAPE.test(token) && !SHARED_LETTER.test(token) ? token.slice(1) : token
}

const hex = (codePoint: number): string => `\\x{${codePoint.toString(16)}}`

function fail(pattern: RegExp, reason: string): never {
  throw new TypeError(`${String(pattern)} can't run on the service, which has RE2 syntax: ${reason}`)
}

import { alternatives } from './stems.ts'

/** The literal beginning of a stem, and a regular expression for the rest of it. */
export interface Beginning {
  text: string
  rest: string
}

/** A stem has at most so many beginnings. What varies more stays a regular expression. */
const MAX_BEGINNINGS = 200
const GROUP = /^\(\?:((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*)\)(?![*+{])(\?)?/u
const CLASS = /^\[([^\]^\\]*)\](?![*+{])(\?)?/u
const SPACE = /^\[-\\s\]\?{1,2}/u
/** A dot between letters stands for an apostrophe: `don.t`. */
const APOSTROPHE = /^\.(?=\p{L})(?![*+?{])/u
const APOSTROPHES = ["'", '’', 'ʼ', '‘', '´', '`']
const LITERAL = /^(?:\\([.?$+*])|([^\\^$.*+?()[\]{}|]))(?![*+{])(\?)?/u

const rangeOf = (from: string, to: string): string[] =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, i) =>
    String.fromCharCode(from.charCodeAt(0) + i),
  )

const lettersOf = (inside: string): string[] =>
  [...inside.matchAll(/(.)-(.)|(.)/gu)].flatMap(([, from, to, one]) => one ?? rangeOf(from ?? '', to ?? ''))

/** What regular expressions give a meaning. Most stems have none of it. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/
const PLAIN = /^[\p{L}\p{M}\p{N} '’,-]+(?![*+?{])/u

/** Returns what the first part of a stem stands for, and its length. */
function firstOf(stem: string): { texts: string[]; length: number } | undefined {
  const plain = PLAIN.exec(stem)?.[0]
  if (plain !== undefined) return { texts: [plain], length: plain.length }
  const space = SPACE.exec(stem)
  if (space) return { texts: ['', '-', ' '], length: space[0].length }
  if (APOSTROPHE.test(stem)) return { texts: APOSTROPHES, length: 1 }
  const [all = '', one, other, maybe] = LITERAL.exec(stem) ?? []
  if (all !== '') return { texts: [one ?? other ?? '', ...(maybe ? [''] : [])], length: all.length }
  const [brackets, inside, optional] = CLASS.exec(stem) ?? []
  if (brackets) return { texts: [...lettersOf(inside ?? ''), ...(optional ? [''] : [])], length: brackets.length }
  const [group, inner = '', none] = GROUP.exec(stem) ?? []
  if (!group) return undefined
  const parts = alternatives(inner).flatMap((part) => beginningsOf(part))
  if (parts.some(({ rest }) => rest !== '')) return undefined
  return { texts: [...parts.map(({ text }) => text), ...(none ? [''] : [])], length: group.length }
}

/** Returns the literal beginnings of a stem: of `sign[-\s]?in` they are `signin`, `sign-in` and `sign in`. */
export function beginningsOf(stem: string): Beginning[] {
  if (!SPECIAL.test(stem)) return [{ text: stem, rest: '' }]
  let found = ['']
  let rest = stem
  for (;;) {
    const first = rest === '' ? undefined : firstOf(rest)
    if (!first || first.texts.length * found.length > MAX_BEGINNINGS) break
    found = found.flatMap((text) => first.texts.map((next) => text + next))
    rest = rest.slice(first.length)
  }
  return found.map((text) => ({ text, rest }))
}

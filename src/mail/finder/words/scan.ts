import { type Beginning, beginningsOf } from './beginnings.ts'
import { type Field, once, SPACED, stems, whole } from './stems.ts'

/** The meanings that words of a text can have. */
const FIELDS = [
  'promo',
  'meeting',
  'place',
  'pickup',
  'visit',
  'done',
  'news',
  'verify',
  'login',
  'password',
  'join',
  'care',
  'secret',
  'unasked',
  'undo',
  'payment',
  'old',
  'temporary',
  'enter',
  'alert',
  'yes',
  'notMe',
  'quiet',
  'go',
  'trade',
  'code',
  'other',
  'user',
  'unit',
  'minutes',
  'account',
] as const satisfies Field[]

export type Meaning = (typeof FIELDS)[number]

/** At most 31 meanings, one bit each. The last bit of the integer marks nodes of the trie. */
const BITS = Object.fromEntries(FIELDS.map((field, i) => [field, 1 << i])) as Record<Meaning, number>

/** Returns the bit of a meaning. */
export const bitOf = (meaning: Meaning): number => BITS[meaning]

/** Returns the bits of some meanings. */
export const bitsOf = (...meanings: Meaning[]): number => meanings.reduce((bits, meaning) => bits | BITS[meaning], 0)

/** A stem in a text. */
export interface Span {
  start: number
  end: number
}

/** Returns where a global pattern matches. Faster than `matchAll`, which copies the pattern. */
export function spansOf(pattern: RegExp, text: string): Span[] {
  const found: Span[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text))
    found.push({ start: match.index, end: pattern.lastIndex })
  return found
}

/** A span and the bits of its meanings. */
export interface Hit extends Span {
  bits: number
}

/** The meanings of the words of a text. */
export interface Reading {
  /** The text in lower case. */
  text: string
  /** The bits of all meanings. */
  bits: number
  /** The stems that were found, from left to right. */
  hits: readonly Hit[]
}

/** Where stems that begin with a character may stand. */
const UNKNOWN = 0
const NEVER = 1
/** At the beginning of a word. */
const SEPARATED = 2
/** Anywhere, because the script does not separate words or joins prefixes to them. */
const ANYWHERE = 3
/** At the beginning of a word, also behind the letters that Hebrew and Arabic join to it: and, in, the. */
const PREFIXED = 4
const kinds = new Uint8Array(0x10000)
const HEBREW_OR_ARABIC = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
const SEPARATING = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}\p{N}]/u
const PREFIX = /(?<!\p{L})(?:[ושבכלמה]{0,3}|[وفبكلاس]{0,4})$/u

function kindOf(code: number): number {
  const known = kinds[code] as number
  if (known !== UNKNOWN) return known
  const letter = String.fromCharCode(code)
  const kind = SEPARATING.test(letter)
    ? SEPARATED
    : HEBREW_OR_ARABIC.test(letter)
      ? PREFIXED
      : /[\p{L}\p{M}%]/u.test(letter)
        ? ANYWHERE
        : NEVER
  kinds[code] = kind
  return kind
}

/** Marks nodes from which stems continue with a regular expression. */
const HAS_REST = 1 << 31

/** How a stem continues behind its literal beginning, and the bits of what it means. */
interface Stem extends Pick<Beginning, 'rest'> {
  bits: number
}

/**
 * All stems as a trie. Its nodes are numbered level by level, so the children of a node are neighbors, and the first
 * letters of all stems, which most texts need, are together in memory.
 */
class Trie {
  /** The number of the first child of each node. The children of a node end where those of the next node begin. */
  readonly #children: Int32Array
  /** The letters of the nodes. Those of the children of a node are sorted. */
  readonly #letters: Uint16Array
  /** The bits of the stems that end at a node. */
  readonly #bits: Int32Array
  /** How the stems of a node continue with a regular expression. */
  readonly #rests = new Map<number, { rest: RegExp; bits: number }[]>()
  /** The nodes of first letters. */
  readonly #roots = new Int32Array(0x10000)
  readonly #compiled = new Map<string, RegExp>()

  /** `byText`: the stems by their literal beginning. */
  constructor(byText: ReadonlyMap<string, readonly Stem[]>) {
    const texts = [...byText.keys()].toSorted()
    const children: number[] = []
    const letters: number[] = [0]
    const bits: number[] = []
    /** The texts of each node: those from `from` to `to` begin with the same `depth` letters. */
    const from = [0]
    const to = [texts.length]
    const depths = [0]
    for (let node = 0; node < from.length; node++) {
      children.push(from.length)
      const depth = depths[node] as number
      const end = to[node] as number
      let at = from[node] as number
      const text = texts[at]
      let own = 0
      if (text?.length === depth) {
        for (const stem of byText.get(text) ?? []) own |= this.#end(node, stem)
        at++
      }
      bits.push(own)
      while (at < end) {
        const first = at
        const letter = (texts[at] as string).charCodeAt(depth)
        while (at < end && (texts[at] as string).charCodeAt(depth) === letter) at++
        if (node === 0) this.#roots[letter] = from.length
        letters.push(letter)
        from.push(first)
        to.push(at)
        depths.push(depth + 1)
      }
    }
    children.push(from.length)
    this.#children = Int32Array.from(children)
    this.#letters = Uint16Array.from(letters)
    this.#bits = Int32Array.from(bits)
  }

  /** Returns the bits of a node at which a stem ends. */
  #end(node: number, { rest, bits }: Stem): number {
    if (rest === '') return bits
    const list = this.#rests.get(node) ?? []
    const known = list.find((each) => each.rest.source === rest)
    if (known) known.bits |= bits
    else list.push({ rest: this.#regExp(rest), bits })
    this.#rests.set(node, list)
    return HAS_REST
  }

  #regExp(source: string): RegExp {
    const known = this.#compiled.get(source) ?? new RegExp(source, 'uy')
    this.#compiled.set(source, known)
    return known
  }

  /** Returns the child of a node for a letter, or 0. */
  #child(node: number, letter: number): number {
    const letters = this.#letters
    const last = this.#children[node + 1] as number
    for (let child = this.#children[node] as number; child < last; child++)
      if ((letters[child] as number) >= letter) return letters[child] === letter ? child : 0
    return 0
  }

  /** Calls `found` for all stems that begin at a place of a text. */
  visit(text: string, start: number, found: (end: number, bits: number) => void): void {
    let node = 0
    for (let i = start; i < text.length; i++) {
      const letter = text.charCodeAt(i)
      node = i === start ? (this.#roots[letter] as number) : this.#child(node, letter)
      if (node === 0) return
      const bits = this.#bits[node] as number
      if (bits === 0) continue
      if (bits !== HAS_REST) found(i + 1, bits & ~HAS_REST)
      if (bits & HAS_REST) this.#visitRests(text, node, i + 1, found)
    }
  }

  #visitRests(text: string, node: number, at: number, found: (end: number, bits: number) => void): void {
    for (const { rest, bits } of this.#rests.get(node) ?? []) {
      rest.lastIndex = at
      if (rest.test(text)) found(rest.lastIndex, bits)
    }
  }
}

/** Abbreviations must match whole words: `pin`, but not `pine`. Other words may have suffixes: `kodunuz`. */
const ABBREVIATION = /^(?:m?tan|pin|tac|otp|mdp|pwd)$/
const LETTER = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}]`
const SUFFIX = `${LETTER}{0,6}(?!${LETTER})`

function wordsOf(field: Meaning): string[] {
  const words = stems(field)
  if (field === 'trade' || field === 'other') return whole(words)
  if (field === 'code')
    return words.map((word) =>
      ABBREVIATION.test(word) ? `${word}(?!${LETTER})` : SPACED.test(word) ? word + SUFFIX : word,
    )
  // Short units are whole words: `h`, but not `hello`.
  if (field === 'unit')
    return words.map((word) => (/^\p{Script=Latin}{1,2}$/u.test(word) ? `${word}s?(?!\\p{L})` : word))
  return words
}

/** Returns the stems of all meanings by their literal beginning. */
function stemsByText(): Map<string, Stem[]> {
  const found = new Map<string, Stem[]>()
  for (const field of FIELDS)
    for (const word of wordsOf(field))
      for (const { text, rest } of beginningsOf(word)) {
        const same = found.get(text)
        if (same) same.push({ rest, bits: BITS[field] })
        else found.set(text, [{ rest, bits: BITS[field] }])
      }
  return found
}

/** Created at the first use, so that the program and its threads start faster. */
const trie = once(() => new Trie(stemsByText()))

/** Reads a text in lower case once for all meanings. */
export function readWords(text: string): Reading {
  const hits: Hit[] = []
  let all = 0
  let start = 0
  const found = (end: number, bits: number): void => {
    all |= bits
    hits.push({ start, end, bits })
  }
  const known = trie()
  let last = NEVER
  for (; start < text.length; start++) {
    const kind = kindOf(text.charCodeAt(start))
    if (
      kind === ANYWHERE ||
      (kind === SEPARATED && last !== SEPARATED) ||
      (kind === PREFIXED && (last === NEVER || PREFIX.test(text.slice(Math.max(0, start - 5), start))))
    )
      known.visit(text, start, found)
    last = kind
  }
  return { text, bits: all, hits }
}

/** Returns where the longest stem with one of these meanings ends that begins at a place of a text, or -1. */
export function stemAt(text: string, start: number, bits: number): number {
  let last = -1
  if (start < 0) return last
  trie().visit(text, start, (end, own) => {
    if ((own & bits) !== 0 && end > last) last = end
  })
  return last
}

import { type Beginning, beginningsOf } from './beginnings.ts'
import { type Field, once, SPACED, stems, whole } from './stems.ts'

/** What words of a text mean. */
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
  'payment',
  'temporary',
  'enter',
  'alert',
  'yes',
  'accept',
  'notMe',
  'quiet',
  'go',
  'trade',
  'code',
  'other',
  'user',
  'unit',
  'minutes',
] as const satisfies Field[]

export type Meaning = (typeof FIELDS)[number]

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

/** A span and the bits of its meanings. */
export interface Hit extends Span {
  bits: number
}

/** What the words of a text say. */
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

const INITIAL_SIZE = 1 << 16
/** Marks nodes from which stems continue with a regular expression. */
const HAS_REST = 1 << 30

/** All stems as a trie. Its edges are in one hash table, which takes less memory than a map for each node. */
class Trie {
  #nodes = new Int32Array(INITIAL_SIZE)
  #letters = new Uint16Array(INITIAL_SIZE)
  #next = new Int32Array(INITIAL_SIZE)
  #count = 1
  /** The bits of the stems that end at a node. */
  #bits = new Int32Array(INITIAL_SIZE)
  /** How the stems of a node continue with a regular expression. */
  readonly #rests = new Map<number, { rest: RegExp; bits: number }[]>()
  /** The nodes of first letters. */
  readonly #roots = new Uint32Array(0x10000)
  readonly #compiled = new Map<string, RegExp>()

  #slot(node: number, letter: number): number {
    const mask = this.#next.length - 1
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(letter, 0x85ebca6b)) >>> 7
    for (slot &= mask; this.#next[slot] !== 0; slot = (slot + 1) & mask)
      if (this.#nodes[slot] === node && this.#letters[slot] === letter) break
    return slot
  }

  #grow(): void {
    const [nodes, letters, next] = [this.#nodes, this.#letters, this.#next]
    const size = next.length * 2
    this.#nodes = new Int32Array(size)
    this.#letters = new Uint16Array(size)
    this.#next = new Int32Array(size)
    const bits = new Int32Array(size)
    bits.set(this.#bits)
    this.#bits = bits
    for (let i = 0; i < next.length; i++)
      if (next[i] !== 0) this.#set(nodes[i] as number, letters[i] as number, next[i] as number)
  }

  #set(node: number, letter: number, next: number): void {
    const slot = this.#slot(node, letter)
    this.#nodes[slot] = node
    this.#letters[slot] = letter
    this.#next[slot] = next
  }

  add({ text, rest }: Beginning, bits: number): void {
    let node = 0
    for (let i = 0; i < text.length; i++) {
      const letter = text.charCodeAt(i)
      let next = this.#next[this.#slot(node, letter)] as number
      if (next === 0) {
        if (this.#count * 2 > this.#next.length) this.#grow()
        next = this.#count++
        this.#set(node, letter, next)
        if (node === 0) this.#roots[letter] = next
      }
      node = next
    }
    if (rest === '') {
      this.#bits[node] = (this.#bits[node] as number) | bits
      return
    }
    this.#bits[node] = (this.#bits[node] as number) | HAS_REST
    const list = this.#rests.get(node) ?? []
    const known = list.find((each) => each.rest.source === rest)
    if (known) known.bits |= bits
    else list.push({ rest: this.#regExp(rest), bits })
    this.#rests.set(node, list)
  }

  #regExp(source: string): RegExp {
    const known = this.#compiled.get(source) ?? new RegExp(source, 'uy')
    this.#compiled.set(source, known)
    return known
  }

  /** Calls `found` for all stems that begin at a place of a text. */
  visit(text: string, start: number, found: (end: number, bits: number) => void): void {
    let node = 0
    for (let i = start; i < text.length; i++) {
      const letter = text.charCodeAt(i)
      node = (i === start ? this.#roots[letter] : this.#next[this.#slot(node, letter)]) as number
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

/** Created at the first use, so that the program and its threads start faster. */
const trie = once((): Trie => {
  const all = new Trie()
  for (const field of FIELDS)
    for (const word of wordsOf(field)) for (const beginning of beginningsOf(word)) all.add(beginning, BITS[field])
  return all
})

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

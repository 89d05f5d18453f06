import { joinBoxes } from './boxes.ts'
import { type Candidate, candidatesIn } from './candidates.ts'
import { plain } from './digits.ts'
import { apart } from './glued.ts'
import { bitOf, bitsOf, type Meaning, readWords, type Reading, spansOf } from './words/scan.ts'
import {
  codeWordsIn,
  endOfPurpose,
  isForDocument,
  isForeignBefore,
  isForeignBehind,
  lower,
  modifierOf,
  namesMinutes,
  numberWordsIn,
  startOfPurpose,
  SURE,
  verifies,
} from './words/words.ts'
import { unwrap } from './wrapped.ts'

/** Characters of the longest sentence that is searched. */
const MAX_LINE = 500
const PER_CENT = /\d\s?[%٪]|[%٪]\d/
const STOPS = /[.!?](?=\s)|…(?=\s\D)|[。！？｡।။។؟؛;；|]/gu

/** Company names and registration numbers. */
const FOOTER =
  /©|(?<![\p{L}\d])(?:Inc|Ltd|LLC|PLC|GmbH|AG|SE|SAS|SARL|S\.?A\.?U?|S\.?L\.?|S\.?[rp]\.?[lA]\.?|S\.A\.S|B\.?V|N\.?V|Oy|AB|A\/S|ApS|AS|Sp\. z|s\.r\.o|a\.s|Kft|Zrt|Pvt|Pty|A\.Ş|Ltda|ООО|АО|ПАО|ТОВ|ЕООД|ООД|OÜ|HRB|USt|VAT|CIF|NIF|P\.? ?IVA|SIRET|RCS|KVK|KvK|KRS|NIP|REGON|IČO?|ИНН|ОГРН|CNPJ|ΑΦΜ|ICP|CVR|Org\.?nr|P\.?O\.? Box)(?![\p{L}\d])|株式会社|有限公司|주식회사|(?:\(주\))/u

/** What a code or a link is for. */
const PURPOSE = bitsOf('verify', 'login', 'password')

/** A word for a code, with the words that say what the code is for. */
export interface Word {
  start: number
  end: number
  /** Whether these words say so: `verification code`, `OTP`. */
  sure: boolean
  /** Whether anyone can check a document with it: `document verification code`. */
  document?: boolean
}

/** What a line may be about, besides codes. */
const TOPICS = ['promo', 'meeting', 'place', 'pickup', 'visit', 'done', 'news'] as const
const ANY_TOPIC = bitsOf(...TOPICS)
const NONE: readonly Meaning[] = []
/** What a line may say about secrets and requests. */
const SAYINGS = ['secret', 'unasked', 'verify', 'login', 'password', 'notMe', 'payment'] as const

const ANY_SAYING = bitsOf(...SAYINGS)

/** `Total: $12.49`, `訂單編號：482913`, in lower case. */
const LABELED = /^([^:：]{1,40})[:：](.*)$/u

/** A line, a sentence or a subject. Its properties are computed when first read, and kept. */
export class Line {
  readonly text: string
  #lower: string | undefined
  #codeWords: { words: Word[]; others: Word[] } | undefined
  #reading: Reading | undefined
  #footer: boolean | undefined
  #minutes: boolean | undefined
  #purpose: boolean | undefined
  #about: readonly string[] | undefined
  #candidates: readonly Candidate[] | undefined
  #labeled: { label: Line; value: string } | null | undefined
  #parts: Map<number, Line> | undefined

  constructor(text: string) {
    this.text = text
  }

  get lower(): string {
    return (this.#lower ??= lower(this.text))
  }

  /** Words for a one-time code. */
  get words(): readonly Word[] {
    return this.#read().words
  }

  /** Words for another kind of code: of a promotion, a parcel, a door. */
  get otherWords(): readonly Word[] {
    return this.#read().others
  }

  #read(): { words: Word[]; others: Word[] } {
    if (this.#codeWords) return this.#codeWords
    const words: Word[] = []
    const others: Word[] = []
    for (const { start, end } of codeWordsIn(this.reading)) {
      const phrase = { start: startOfPurpose(this.reading, start), end: endOfPurpose(this.reading, end), sure: false }
      phrase.sure = phrase.start < start || phrase.end > end || this.#sure(start, end)
      const document = isForDocument(this.reading, phrase.start, phrase.end)
      const list = document || this.#isOther({ start, end, sure: phrase.sure }, phrase) ? others : words
      list.push({ ...phrase, document })
    }
    for (const { start, end } of numberWordsIn(this.reading)) {
      const overlaps = (word: Word): boolean => word.start < end && word.end > start
      if (!words.some(overlaps) && !others.some(overlaps)) words.push({ start, end, sure: false })
    }
    this.#codeWords = { words: words.length > 1 ? words.toSorted((a, b) => a.start - b.start) : words, others }
    return this.#codeWords
  }

  /** Whether a code word, or the phrase around it, names a code of another kind. */
  #isOther({ start, end, sure }: Word, phrase: Word): boolean {
    const { reading } = this
    if (start > 0 && isForeignBefore(reading, start, { sure })) return true
    // Inside the word: Rabattcode.
    const modifier = modifierOf(this.lower.slice(start, end))
    if (modifier !== '' && isForeignBefore(readWords(modifier), modifier.length, { sure, from: 0 })) return true
    // Before the phrase: "gate access code".
    const isLogin = phrase.start < start && !verifies(reading, phrase.start, start)
    if (isLogin && isForeignBefore(reading, phrase.start, { sure: false })) return true
    return isForeignBehind(reading, end, { sure })
  }

  /** Whether the word itself says what the code is for: `verification code`, `OTP`. */
  #sure(start: number, end: number): boolean {
    return verifies(this.reading, start, end) || SURE.test(this.lower.slice(start, end))
  }

  /** What its words mean, besides codes. */
  get reading(): Reading {
    return (this.#reading ??= readWords(this.lower))
  }

  has(meaning: Meaning): boolean {
    return (this.reading.bits & bitOf(meaning)) !== 0
  }

  hasAny(bits: number): boolean {
    return (this.reading.bits & bits) !== 0
  }

  /** Its parts that may be a code. */
  get candidates(): readonly Candidate[] {
    return (this.#candidates ??= candidatesIn(this.text))
  }

  /** Its label and its value, which may be empty, in lower case. Null if it has no label. */
  get labeled(): { label: Line; value: string } | null {
    if (this.#labeled !== undefined) return this.#labeled
    const [, label, value] = LABELED.exec(this.lower) ?? []
    return (this.#labeled = label === undefined || value === undefined ? null : { label: new Line(label), value })
  }

  /** Whether it mentions verifying, signing in or passwords. */
  get purpose(): boolean {
    return (this.#purpose ??= this.hasAny(PURPOSE) || SURE.test(this.lower))
  }

  /** Whether it has a percentage, as promotions do. */
  get percent(): boolean {
    return PER_CENT.test(this.text)
  }

  get trade(): boolean {
    return this.has('trade')
  }

  /** Whether it says to enter a secret, not to share it, how long it is valid, or to ignore the message. */
  get care(): boolean {
    return this.has('care')
  }

  /** Whether it names a number of minutes. */
  get minutes(): boolean {
    return (this.#minutes ??= namesMinutes(this.reading))
  }

  /** Whether it mentions a password. */
  get password(): boolean {
    return this.has('password')
  }

  /** Whether it mentions a password that the sender generated. */
  get temporary(): boolean {
    return this.password && this.has('temporary')
  }

  /** Whether it asks to enter or use something. */
  get enter(): boolean {
    return this.has('enter')
  }

  /** Whether it reports a sign-in or a change. */
  get alert(): boolean {
    return this.has('alert')
  }

  /** Whether it names a company, as in a footer. */
  get footer(): boolean {
    return (this.#footer ??= FOOTER.test(this.text))
  }

  /** Its meanings that are about secrets and requests, and whether it names minutes. The same in all languages. */
  get about(): readonly string[] {
    if (this.#about) return this.#about
    const said = this.hasAny(ANY_SAYING) ? SAYINGS.filter((saying) => this.has(saying)) : NONE
    return (this.#about = this.minutes ? [...said, 'minutes'] : said)
  }

  /** What it is about, besides codes. */
  get topics(): readonly Meaning[] {
    return this.hasAny(ANY_TOPIC) ? TOPICS.filter((topic) => this.has(topic)) : NONE
  }

  /** Returns the sentence around a position, and where it begins. */
  sentenceAt(start: number, end: number): { sentence: Line; from: number } {
    let from = 0
    for (const stop of spansOf(STOPS, this.text)) {
      if (stop.start >= end) return { sentence: this.#part(from, stop.start), from }
      if (stop.start < start) from = stop.end
    }
    return { sentence: from === 0 ? this : this.#part(from, this.text.length), from }
  }

  #part(from: number, to: number): Line {
    this.#parts ??= new Map()
    const key = from * (this.text.length + 1) + to
    const part = this.#parts.get(key) ?? new Line(this.text.slice(from, to))
    this.#parts.set(key, part)
    return part
  }
}

/** Returns what at least one of some lines is about, in the order of the lines. */
export function inAny(lines: readonly Line[], what: 'about' | 'topics'): Set<string> {
  const found = new Set<string>()
  for (const line of lines) for (const each of line[what]) found.add(each)
  return found
}

/** `*482913*` or `**482913**` in a text part. */
const STARS = /(?<![\p{L}\d*])\*{1,3}([A-Za-z\d](?:[A-Za-z\d -]{0,20}[A-Za-z\d])?)\*{1,3}(?![\p{L}\d*])/gu
/** A code in signs of emphasis: `*482913*`, `_482913_`, `~482 913~`. What stands in `~~` is struck out. */
const EMPHASIS =
  /(?<![\p{L}\d*_~=&?/.%#-])([*_]{1,3}|~)((?=[A-Za-z -]{0,12}\d)(?:[A-Z\d][A-Z\d -]{2,16}[A-Z\d]|[A-Za-z\d]{4,16}))\1(?![\p{L}\d*_~=&/%#-])/gu
/** Characters that templates escape in text parts too. */
const ENTITY = /&(?:nbsp|quot|apos|#0?39|#x27);/gi
const ENTITIES: Record<string, string> = { '&nbsp;': ' ', '&quot;': '"' }

/** `<https://…>` over several lines. */
const WRAPPED_URL = /<https?:\/\/[^<>\s]{1,500}(?:\n[^<>\s]{1,500}){1,20}>/g

/** Splits a line longer than `MAX_LINE` into pieces of at most 500 characters, between words where possible. */
const inPieces = (line: string): readonly string[] =>
  line.length > MAX_LINE ? (line.match(/.{1,500}(?:\s|$)|.{500}/gu) ?? []) : [line]

/** `&lt;https://…&gt;` */
const ESCAPED_URL = /&lt;(https?:\/\/[^\s<>]{1,2000}?)&gt;/gi

/** Decodes what templates escape. A text with a bare `&` was not escaped. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text
  const decoded = text.replace(ESCAPED_URL, '<$1>').replace(ENTITY, (entity) => ENTITIES[entity.toLowerCase()] ?? "'")
  return decoded.includes('&amp;') && !/&(?!amp;|lt;|gt;)/.test(decoded) ? decoded.replaceAll('&amp;', '&') : decoded
}

/** Returns the known line with this text, or a new one, which is then known. */
export function lineFrom(known: Map<string, Line>, text: string): Line {
  const line = known.get(text)
  if (line) return line
  const added = new Line(text)
  known.set(text, added)
  return added
}

/**
 * Returns the lines of a text without empty ones, trimmed and with ASCII digits, at most `max`. `known`: lines that
 * were read before, by their text. The HTML and the text part of a message have most of their lines in common. `gaps`
 * gets the indexes of the lines that follow an empty line. `named`: the subject names a code.
 */
export function linesOf(
  text: string,
  max: number,
  { wrapped = false, named = false, known = new Map<string, Line>(), gaps = new Set<number>() } = {},
): Line[] {
  const lines = joinBoxes(
    plain((wrapped ? unescaped(text) : text).replaceAll('\r', '')).replace(WRAPPED_URL, (url) =>
      url.replaceAll('\n', ''),
    ),
  )
    .split('\n')
    .map((line) => (/^\s?>/.test(line) ? line.replace(/^(?:\s?>)+/, '') : line).replace(/\s\s+/g, ' ').trim())
  const found: Line[] = []
  for (const line of apart((wrapped ? unwrap(lines, named) : lines).join('\n')).split('\n')) {
    const bare = wrapped && line.includes('*') ? line.replace(STARS, '$1') : line
    const shown = /[*_~]/.test(bare) ? bare.replace(EMPHASIS, '$2') : bare
    if (shown === '') gaps.add(found.length)
    else for (const piece of inPieces(shown)) if (found.length < max) found.push(lineFrom(known, piece))
    if (found.length >= max) break
  }
  return found
}

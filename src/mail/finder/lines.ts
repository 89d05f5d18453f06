import { plain } from './digits.ts'
import {
  CODE_WORD,
  FOREIGN_BEFORE,
  FOREIGN_BEHIND,
  lower,
  PURPOSE,
  SURE,
  TRADE,
  TRADE_BEHIND,
  VERIFY,
} from './words/words.ts'

/** Lines of one character each: a code whose characters are in separate boxes. */
const BOXES = /(?<=^|\n)[A-Z0-9](?:[ \t]{0,4}\n[ \t]{0,4}[A-Z0-9]){3,9}(?=[ \t]*(?:\n|$))/g
/** Characters of the longest line. Sentences with a code are shorter. */
const MAX_LINE = 500
const STOPS = /[.!?…](?=\s)|[。！？｡।။។؟؛;；|]/gu

export interface Word {
  start: number
  end: number
}

/** A line, a sentence or a subject. Its properties are computed once. */
export class Line {
  readonly text: string
  readonly lower: string
  #words: Word[] | undefined
  #purpose: boolean | undefined
  #trade: boolean | undefined

  constructor(text: string) {
    this.text = text
    this.lower = lower(text)
  }

  /** Words that mean a code, except those of promotions, parcels and postcodes. */
  get words(): readonly Word[] {
    this.#words ??= [...this.lower.matchAll(CODE_WORD)]
      .map((match) => ({ start: match.index, end: match.index + match[0].length }))
      .filter(({ start, end }) => {
        const from = Math.max(0, start - 30)
        // Also within a compound word, such as Rabattcode.
        const before = [this.lower.slice(from, start), this.lower.slice(from, Math.max(start, end - 4))]
        return (
          !before.some((text) => FOREIGN_BEFORE.test(text)) &&
          !(this.#sure(start, end) ? TRADE_BEHIND : FOREIGN_BEHIND).test(this.lower.slice(end, end + 40))
        )
      })
    return this.#words
  }

  /** Whether the word itself names the purpose: `verification code`, `OTP`. */
  #sure(start: number, end: number): boolean {
    const word = this.lower.slice(start, end)
    return SURE.test(word) || VERIFY.test(word)
  }

  /** Whether the line is about verifying, signing in or passwords. */
  get purpose(): boolean {
    this.#purpose ??= SURE.test(this.lower) || PURPOSE.test(this.lower)
    return this.#purpose
  }

  get trade(): boolean {
    this.#trade ??= TRADE.test(this.lower)
    return this.#trade
  }

  /** Returns the sentence around a position and the index of its start. */
  sentenceAt(start: number, end: number): { sentence: Line; from: number } {
    let from = 0
    for (const { index, 0: stop } of this.text.matchAll(STOPS)) {
      if (index >= end) return { sentence: new Line(this.text.slice(from, index)), from }
      if (index < start) from = index + stop.length
    }
    return { sentence: from === 0 ? this : new Line(this.text.slice(from)), from }
  }
}

/** Returns the non-empty lines of a text, trimmed and with ASCII digits, at most `max`. */
export function linesOf(text: string, max: number): Line[] {
  const joined = plain(text.replaceAll('\r', '')).replace(BOXES, (boxes) => boxes.replace(/\s/g, ''))
  return joined
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .flatMap((line) => (line.length > MAX_LINE ? (line.match(/.{1,500}(?:\s|$)|.{500}/gu) ?? []) : line || []))
    .slice(0, max)
    .map((line) => new Line(line))
}

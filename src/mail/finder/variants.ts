import type { Case } from './corpus.ts'

/** Lines at the end of messages that have numbers but nothing to find. */
const FOOTERS = [
  'PO Box 77120, Springfield',
  'Orlo GmbH, Hauptstraße 12, 10115 Berlin, HRB 204518',
  'Questions? Call +44 20 7946 0112, Monday to Friday, 9:00 to 17:30.',
  'Ticket 5512077 · 12 March 2026 14:02',
  'Customer number: 80044213',
  '© 2026 Veloz S.A. · CIF B66120345 · 08018 Barcelona',
  'ООО «Лента», ИНН 7701234567, тел. 8 800 555-35-35',
  '沪ICP备2023011873号 客服热线 400-820-8820',
  '〒150-0042 東京都渋谷区宇田川町18-4　登録番号T1180301018771',
  'Sent to you on 2026-03-12. Reference 4471-2208.',
  'IP 203.0.113.77, Firefox 148, Windows 11',
  'Your order 482077 is still in the basket.',
]

/** Returns a message with one of the footers. What is to be found stays the same. */
function withFooter(mail: Case, i: number): Case {
  const footer = FOOTERS[i % FOOTERS.length] ?? ''
  return {
    ...mail,
    text: mail.text === null ? null : `${mail.text}\n\n${footer}\n`,
    html: mail.html === null ? null : `${mail.html}<p>${footer}</p>`,
  }
}

/** Tags and entities, which stay, and what is between white space. */
const PIECES = /<(?:style|script)[\s\S]*?<\/(?:style|script)>|<[^>]*>|&#?\w+;|[^\s<&]+/giu
/** Addresses and anything that may be a code. */
const STAYS = /^[<&]|[\d@/=_&]|^[A-Z-]{4,}$|\p{Ll}-\p{Ll}/u
const WORD = /[\p{L}\p{M}]{3,}/gu
/** Two letters of a script that doesn't separate words. */
const JOINED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Myanmar}]{2}/gu
/** First letters and sizes of alphabets. */
const ALPHABETS = [
  [0x61, 26],
  [0x41, 26],
  [0x3b1, 25],
  [0x391, 25],
  [0x430, 32],
  [0x410, 32],
  [0x5d0, 27],
  [0x10d0, 33],
] as const
const SHIFT = 11

/** Returns another letter of the same script. */
function otherLetter(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  for (const [first, size] of ALPHABETS)
    if (code >= first && code < first + size) return String.fromCodePoint(first + ((code - first + SHIFT) % size))
  const next = String.fromCodePoint(code ^ 1)
  return code >= 0x250 && /[\p{L}\p{M}]/u.test(next) ? next : letter
}

/** Returns a number from 0 to 1 that is always the same for a word. */
function hashOf(word: string, seed: number): number {
  let hash = Math.imul(seed + 1, 0x9e3779b9)
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 4_294_967_296
}

/**
 * Returns a message in which a share of the words is replaced by meaningless ones. The finder's word lists were written
 * with these messages at hand. Without this, the model would not learn that messages have words that are not in the
 * lists.
 */
export function withUnknownWords(mail: Case, share: number, seed: number): Case {
  const word = (part: string): string =>
    hashOf(part.toLowerCase(), seed) >= share ? part : part.replace(/./gu, otherLetter)
  const change = (text: string): string =>
    text.replace(PIECES, (piece) =>
      piece.search(JOINED) >= 0 ? piece.replace(JOINED, word) : STAYS.test(piece) ? piece : piece.replace(WORD, word),
    )
  return {
    ...mail,
    subject: change(mail.subject),
    text: mail.text === null ? null : change(mail.text),
    html: mail.html === null ? null : change(mail.html),
  }
}

/** Shares of unknown words in the variants of a message. */
const UNKNOWN = [0.08, 0.2]

/** Returns a message as it is, with a footer, and with words that mean nothing, unless its code is a word. */
export const variantsOf = (mail: Case, i: number): Case[] => [
  mail,
  withFooter(mail, i),
  ...(/\p{Ll}{3}/u.test(mail.expect.code ?? '')
    ? []
    : UNKNOWN.map((share, k) => withUnknownWords(mail, share, i * UNKNOWN.length + k))),
]

import type { Direction } from '#core/mailbox/message.ts'
import { textOfHtml } from './to-text.ts'

/** Letters of scripts from right to left, such as Hebrew, Arabic and Thaana. */
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const LETTERS = /\p{L}/gu
/** URLs and email addresses have Latin letters in any language. */
const ADDRESSES = /https?:\S+|(?<!\S)[^\s@]+@\S+/g

/**
 * Returns the direction in which most letters of sanitized HTML are written. HTML is from left to right unless it says
 * otherwise: a first word in Arabic, such as the link to another language, must not mirror an English newsletter.
 */
export function directionOf(html: string): Direction {
  if (!RTL.test(html)) return 'ltr'
  const letters = (textOfHtml(html) ?? '').replace(ADDRESSES, ' ').match(LETTERS) ?? []
  return letters.filter((letter) => RTL.test(letter)).length * 2 > letters.length ? 'rtl' : 'ltr'
}

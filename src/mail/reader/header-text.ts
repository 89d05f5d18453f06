import { decodeWords } from 'postal-mime'

/** Returns the text of a header with its encoded words (RFC 2047) decoded. */
export function headerText(value: string): string {
  return clean(decodeWords(value))
}

/** Zero-width characters and direction controls. In headers they only deceive or pad. */
const INVISIBLE =
  // oxlint-disable-next-line no-misleading-character-class -- each character is matched on its own
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\u3164\uFEFF\uFFA0]/gu
/**
 * Joiners that are not between letters or emoji. Persian, Hindi and emoji families need joiners there, elsewhere they
 * pad.
 */
const STRAY_JOINERS =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])[\u200C\u200D]+|[\u200C\u200D]+(?![\p{L}\p{M}\p{Extended_Pictographic}\u200C\u200D])/gu

/** Returns the text as one line without control characters and invisible characters. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s\u2800]+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(STRAY_JOINERS, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

import { decodeWords } from 'postal-mime'

/** A header's text, its encoded words (RFC 2047) decoded. */
export function headerText(value: string): string {
  return clean(decodeWords(value))
}

/** Zero-width characters and those that change the direction of reading serve to deceive or to pad only. */
const INVISIBLE =
  // oxlint-disable-next-line no-misleading-character-class -- each stands for itself
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\u3164\uFEFF\uFFA0]/gu
/** Joiners belong between letters and emoji (Persian, Hindi, families); anywhere else they pad. */
const STRAY_JOINERS =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\uFE0F])[\u200C\u200D]+|[\u200C\u200D]+(?![\p{L}\p{M}\p{Extended_Pictographic}\u200C\u200D])/gu

/** One line without control characters and what is invisible. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s\u2800]+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(STRAY_JOINERS, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

import { concat, fromBase64, fromLatin1, fromUtf8, strictUtf8, toBase64 } from '../bytes.ts'
import { decodeText } from './charset.ts'

/**
 * An encoded word (RFC 2047), also one without charset. It may be folded, but reaches neither into the next header nor
 * beyond the quotes around it.
 */
const WORD =
  /=\?([^?\s]{0,60})\?(?:b\?([\w+/=\-\t\r ]*(?:\n[ \t][\w+/=\-\t\r ]*)*)|q\?([^?"\n]*(?:\n[ \t][^?"\n]*)*))\?=/
/** An id or address that looks like an encoded word. Its references are not decoded either. */
const ID = /<[^<>\s"=]*=\?[^<>\s]*>/
const WORD_OR_ID = new RegExp(`${ID.source}|${WORD.source}`, 'gi')
/** What may stand between two words that are one text. */
const FOLD = /^(?:[ \t\r]|\n(?=[ \t]))*$/
const UTF8 = /^utf-?8$/
const RAW_BYTES = /([\u0080-\u00FF]+)/

interface Word {
  charset: string
  bytes: Uint8Array
  /** The text of a word that contains text in UTF-8 beside escapes in another charset. */
  mixed: string | undefined
}

/** Decodes the payload of an encoded word with encoding Q. */
const fromQuoted = (payload: string): Uint8Array =>
  fromLatin1(
    payload
      .replace(/=[ \t\r\n]+(?=[0-9A-F])/gi, '=')
      .replace(/[_\t\r\n]/g, ' ')
      .replace(/=([0-9A-F]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  )

/** Returns the text of a payload whose bytes over 127, which RFC 2047 forbids, are UTF-8, although it declares another charset. */
function mixedText(payload: string, charset: string): string | undefined {
  if (UTF8.test(charset) || !RAW_BYTES.test(payload) || strictUtf8(fromLatin1(payload)) === undefined) return undefined
  return payload
    .split(RAW_BYTES)
    .map((part, index) =>
      index % 2 === 1 ? strictUtf8(fromLatin1(part)) : decodeText(fromQuoted(part), { declared: charset }),
    )
    .join('')
}

function wordOf([, label = '', base64, quoted = '']: RegExpExecArray): Word {
  // A language may follow (RFC 2231 5).
  const charset = (label.split('*', 1)[0] ?? '').toLowerCase()
  if (base64 !== undefined) return { charset, bytes: fromBase64(base64), mixed: undefined }
  return { charset, bytes: fromQuoted(quoted), mixed: mixedText(quoted, charset) }
}

const textOf = ({ charset, bytes, mixed }: Word): string => mixed ?? decodeText(bytes, { declared: charset })

/** Returns the text of adjacent words of one charset. Some senders split a character between two words, against RFC 2047 5. */
function joined(words: readonly Word[]): string {
  const [first] = words
  if (first && words.length > 1) {
    const text = decodeText(concat(...words.map(({ bytes }) => bytes)), { declared: first.charset })
    if (!text.includes('\uFFFD')) return text
  }
  return words.map(textOf).join('')
}

const belongTogether = (a: Word, b: Word): boolean =>
  a.charset === b.charset && a.mixed === undefined && b.mixed === undefined

/**
 * Returns a header section, in which each character is a byte, with encoded words that the parser reads in the same way as
 * any other text of the message: each sequence of words of one charset as one word in UTF-8.
 */
export function readableWords(head: string): string {
  const pieces: string[] = []
  let words: Word[] = []
  let end = 0
  const close = (): void => {
    if (words.length > 0) pieces.push(`=?utf-8?b?${toBase64(fromUtf8(joined(words)))}?=`)
    words = []
  }
  for (const found of head.matchAll(WORD_OR_ID)) {
    if (found[0].startsWith('<')) continue
    const word = wordOf(found)
    const between = head.slice(end, found.index)
    const [first] = words
    const isNext = first !== undefined && FOLD.test(between)
    if (!isNext || !belongTogether(first, word)) close()
    if (!isNext) pieces.push(between)
    words.push(word)
    end = found.index + found[0].length
  }
  close()
  return pieces.join('') + head.slice(end)
}

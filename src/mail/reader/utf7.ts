import { fromBase64 } from '../bytes.ts'

const LABEL = /^(?:x-)?(?:unicode-[12]-[01]-|csunicode11)?utf-?7$/i
const SHIFTED = /\+([A-Za-z0-9+/]*)(-?)/g
const utf16 = new TextDecoder('utf-16be')

export const isUtf7 = (charset: string | undefined): boolean => LABEL.test(charset?.trim() ?? '')

/**
 * Decodes UTF-7 (RFC 2152), which TextDecoder does not support. `text` has one character per byte. Invalid parts become
 * U+FFFD.
 */
export function decodeUtf7(text: string): string {
  return text.replace(SHIFTED, (whole, base64: string, end: string) => {
    if (base64 === '') return end === '' ? whole : '+'
    const bytes = fromBase64(base64)
    // The padding bits of the last Base64 character may form a byte, but not a UTF-16 unit.
    return utf16.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  })
}

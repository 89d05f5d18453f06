import { fromBase64 } from '../bytes.ts'

const LABEL = /^(?:x-)?(?:unicode-[12]-[01]-|csunicode11)?utf-?7$/i
const SHIFTED = /\+([A-Za-z0-9+/]*)(-?)/g
const utf16 = new TextDecoder('utf-16be')

export const isUtf7 = (charset: string | undefined): boolean => LABEL.test(charset?.trim() ?? '')

/** UTF-7 (RFC 2152), which TextDecoder doesn't know. `text`: a character for each byte. What is broken becomes U+FFFD. */
export function decodeUtf7(text: string): string {
  return text.replace(SHIFTED, (whole, base64: string, end: string) => {
    if (base64 === '') return end === '' ? whole : '+'
    const bytes = fromBase64(base64)
    // Bits that fill the last character of the alphabet may make up a byte, but no character.
    return utf16.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  })
}

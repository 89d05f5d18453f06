import { isAscii, strictUtf8 } from '../bytes.ts'

/** Labels that mailers write by default. The text is often UTF-8. */
const WESTERN = /^(?:us-ascii|ascii|ansi_x3\.4-1968|iso[-_]?8859-?1|latin-?1|windows-1252|cp1252)$/i
const WIDE = /^(?:utf-?16|unicode|ucs-2|iso-10646-ucs-2)/i
/** The escape sequences of ISO-2022-JP (RFC 1468), the only 7-bit charset that can be recognized. */
// oxlint-disable-next-line no-control-regex
const JAPANESE = /\u001B(?:\$[@B]|\([BJ])/
const META = /<meta[^>]{0,200}charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i
const META_WITHIN_BYTES = 4096

function isKnown(label: string): boolean {
  try {
    return Boolean(new TextDecoder(label))
  } catch {
    return false
  }
}

const beginning = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, META_WITHIN_BYTES))

/**
 * Returns the charset of a text: the declared one, or UTF-8 if the text is valid UTF-8 and the declaration is missing,
 * unknown or a common default of mailers. Without a declaration, the `meta` of the HTML counts, and then Latin 1.
 */
export function charsetOf(declared: string | undefined, bytes: Uint8Array): string {
  const label = declared?.trim()
  if (!label || WIDE.test(label)) {
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  }
  const plain = isAscii(bytes)
  if (!plain && (!label || WESTERN.test(label) || !isKnown(label)) && strictUtf8(bytes) !== undefined) return 'utf-8'
  if (label) return label
  if (plain) return JAPANESE.test(beginning(bytes)) ? 'iso-2022-jp' : 'utf-8'
  const meta = META.exec(beginning(bytes))?.[1]
  return meta && isKnown(meta) ? meta : 'windows-1252'
}

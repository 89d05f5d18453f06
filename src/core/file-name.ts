/** File systems allow 255 bytes. "(2)" or ".part" may be added to a name. */
const MAX_NAME_BYTES = 200
const encoder = new TextEncoder()
const EXTENSION = /\.[^.\s]{1,10}$/
/**
 * Path separators, characters that Windows forbids, control characters, and those that change the reading direction.
 */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u001F\u007F-\u009F<>:"/\\|?*\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g
/** Spaces and dots at the end. The lookbehind keeps the search linear. */
const ENDS = /(?<![.\s])[.\s]+$/
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/i

/** Returns a file name that is safe on every system and never empty. */
export function safeFilename(name: string): string {
  const plain = name
    .normalize('NFC')
    .toWellFormed()
    .replace(FORBIDDEN, '_')
    .replace(/^[.\s]+/, '')
    .replace(RESERVED, '_$&')
  // Windows keeps no space or dot at the end, also not where the name is cut.
  return shortFilename(plain.replace(ENDS, '')).replace(ENDS, '') || 'attachment'
}

/** Cuts a file name to a length that every file system allows, and keeps its extension. */
export function shortFilename(name: string): string {
  if (firstBytes(name, MAX_NAME_BYTES) === name) return name
  const extension = EXTENSION.exec(name)?.[0] ?? ''
  const base = name.slice(0, name.length - extension.length)
  return firstBytes(base, MAX_NAME_BYTES - encoder.encode(extension).length) + extension
}

/** Returns the first characters of a text that take at most so many bytes in UTF-8. */
const firstBytes = (text: string, bytes: number): string =>
  text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read)

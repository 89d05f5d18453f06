const MAX_NAME_LENGTH = 150
/**
 * Path separators, characters that Windows forbids, control characters, and those that change the reading direction.
 */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u001F\u007F-\u009F<>:"/\\|?*\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/i

/** Returns a file name that is safe on every system and never empty. */
export function safeFilename(name: string): string {
  const plain = name
    .normalize('NFC')
    .toWellFormed()
    .replace(FORBIDDEN, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .replace(RESERVED, '_$&')
  const characters = [...plain]
  if (characters.length <= MAX_NAME_LENGTH) return plain || 'attachment'
  const extension = /\.[^.]{1,10}$/.exec(plain)?.[0] ?? ''
  return characters.slice(0, MAX_NAME_LENGTH - extension.length).join('') + extension
}

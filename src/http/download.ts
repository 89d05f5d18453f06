import type { FastifyReply } from 'fastify'

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

/** RFC 6266 with the extended form of RFC 8187. */
export function contentDisposition(name: string): string {
  const safe = safeFilename(name)
  // Cleaned again, because NFKD turns a full-width slash into a slash.
  const ascii = safeFilename(safe.normalize('NFKD').replace(/\p{M}/gu, '')).replace(/[^\x20-\x7E]|%/g, '_')
  const extended = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended}`
}

/** Always a download, never a page: content of messages must not run under this site's name. */
export function sendDownload(
  reply: FastifyReply,
  content: Uint8Array,
  filename: string,
  contentType: string,
): FastifyReply {
  const type = /^[a-z0-9][\w.+-]{0,60}\/[a-z0-9][\w.+-]{0,60}$/i.test(contentType)
    ? contentType
    : 'application/octet-stream'
  return reply
    .headers({
      'content-disposition': contentDisposition(filename),
      'content-security-policy': "default-src 'none'; sandbox",
    })
    .type(type)
    .send(Buffer.from(content.buffer, content.byteOffset, content.length))
}

import type { FastifyReply } from 'fastify'
import { safeFilename } from '#core/file-name.ts'

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

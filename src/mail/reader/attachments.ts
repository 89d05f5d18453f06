import type { AttachmentInfo } from '#core/mailbox/message.ts'
import { toBase64 } from '../bytes.ts'
import { plainHeaders } from './fallback.ts'
import { clean, headerText } from './header-text.ts'
import { bytesOf, type Email, type Part, sizeOf } from './parse.ts'

const MAX_NAME_LENGTH = 150
const NAMES: Record<string, string> = {
  'text/calendar': 'invite.ics',
  'text/vcard': 'contact.vcf',
  'text/csv': 'table.csv',
  'text/xml': 'data.xml',
  'application/xml': 'data.xml',
  'application/gzip': 'archive.gz',
  'application/msword': 'document.doc',
  'application/vnd.ms-excel': 'table.xls',
  'application/vnd.ms-powerpoint': 'slides.ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document.docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'table.xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'slides.pptx',
  'audio/mpeg': 'audio.mp3',
  'video/quicktime': 'video.mov',
  'application/ics': 'invite.ics',
  'application/pgp-signature': 'signature.asc',
  'application/pkcs7-signature': 'smime.p7s',
  'application/ms-tnef': 'winmail.dat',
  'message/delivery-status': 'delivery-status.txt',
  'application/pdf': 'document.pdf',
  'application/zip': 'archive.zip',
  'application/json': 'data.json',
  'image/jpeg': 'image.jpg',
  'image/svg+xml': 'image.svg',
  'text/plain': 'text.txt',
  'text/html': 'page.html',
}

/** Returns the last segment of a name that may be a path, short enough for any file system. */
function fileName(name: string): string {
  const base = clean(name).split(/[/\\]/).at(-1)?.trim() ?? ''
  if (/^\.*$/.test(base)) return ''
  const extension = /\.[^.\s]{1,10}$/.exec(base)?.[0] ?? ''
  return (
    Array.from(base.slice(0, base.length - extension.length))
      .slice(0, MAX_NAME_LENGTH)
      .join('') + extension
  )
}

/**
 * Returns the file name of a part, or else a name made from its type. A forwarded message is named after its subject.
 */
function nameOf(part: Part, index: number): string {
  const own = fileName(part.filename ?? '')
  if (own) return own
  if (part.mimeType === 'message/rfc822') {
    const subject = plainHeaders(bytesOf(part)).find(({ name }) => name.toLowerCase() === 'subject')?.value ?? ''
    return `${fileName(headerText(subject).replace(/[/\\]/g, '-')) || 'message'}.eml`
  }
  const known = NAMES[part.mimeType]
  if (known) return known
  const extension = /^(?:image|audio|video)\/([a-z0-9]+)$/.exec(part.mimeType)?.[1] ?? 'bin'
  return `attachment-${index + 1}.${extension}`
}

/** Lists the parts to offer for download: all parts except the body and the images inside it. */
export function listAttachments(mail: Email): { info: AttachmentInfo; part: Part }[] {
  const inline = inlineParts(mail)
  return mail.attachments
    .filter((part) => !inline.has(part))
    .map((part, index) => ({
      part,
      info: { index, filename: nameOf(part, index), contentType: part.mimeType, size: sizeOf(part) },
    }))
}

const contentId = (part: Part): string => (part.contentId ?? '').replace(/^<|>$/g, '')

const INLINE_TYPES = /^image\/(?:png|jpe?g|gif|webp|bmp|avif)$/
/** Larger images stay attachments. A data URL of this size still renders without delay. */
const INLINE_MAX_BYTES = 5 * 1024 * 1024

const REFERENCE = /cid:([^"'\s<>)]+)/gi

function decode(reference: string): string {
  try {
    return decodeURIComponent(reference)
  } catch {
    return reference
  }
}

/** Returns the image parts that the HTML shows by their Content-ID (RFC 2392). */
function inlineParts(mail: Email): Set<Part> {
  const referenced = new Set(Array.from((mail.html ?? '').matchAll(REFERENCE), ([, id = '']) => decode(id)))
  return new Set(
    mail.attachments.filter((part) => {
      const small = INLINE_TYPES.test(part.mimeType) && sizeOf(part) <= INLINE_MAX_BYTES
      return small && referenced.has(contentId(part))
    }),
  )
}

/** Returns the data URLs of the images that the HTML shows, by Content-ID. */
export function inlineImages(mail: Email): Map<string, string> {
  return new Map(
    Array.from(inlineParts(mail), (part) => [
      contentId(part),
      `data:${part.mimeType};base64,${toBase64(bytesOf(part))}`,
    ]),
  )
}

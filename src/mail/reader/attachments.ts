import { shortFilename } from '#core/file-name.ts'
import { imageType } from '#core/image-type.ts'
import { type AttachmentInfo, HTML_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { toBase64 } from '../bytes.ts'
import { CID_IN_HTML, contentId, shownContentIds } from '../html/inline-images.ts'
import { MAX_INLINE } from '../html/sanitize.ts'
import { fitHtml } from '../html/without-bulk.ts'
import { HEAD_BYTES, plainHeaders } from './fallback.ts'
import { isMessage } from './forwarded.ts'
import { headLength, headReader, textCharsets } from './head.ts'
import { clean, headerText } from './header-text.ts'
import { bytesOf, type Email, type Part, sizeOf } from './parse.ts'

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
  'message/global-delivery-status': 'delivery-status.txt',
  'message/disposition-notification': 'disposition-notification.txt',
  'message/global-disposition-notification': 'disposition-notification.txt',
  'message/feedback-report': 'feedback-report.txt',
  'message/global-headers': 'headers.txt',
  'text/rfc822-headers': 'headers.txt',
  'application/pdf': 'document.pdf',
  'application/zip': 'archive.zip',
  'application/json': 'data.json',
  'image/jpeg': 'image.jpg',
  'image/svg+xml': 'image.svg',
  'text/plain': 'text.txt',
  'text/html': 'page.html',
}

/** Returns the last segment of a name that may be a path, short enough for every file system. */
function fileName(name: string): string {
  const base = clean(name).split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.*$/.test(base) ? '' : shortFilename(base)
}

/**
 * Returns the file name of a part, or else a name made from its type. A forwarded message is named after its subject.
 */
function nameOf(part: Part, index: number): string {
  const own = fileName(part.filename ?? '')
  if (own) return own
  if (isMessage(part.mimeType)) {
    const bytes = bytesOf(part)
    const head = headReader(textCharsets(bytes), HEAD_BYTES)(bytes.subarray(0, headLength(bytes)))
    const subject = plainHeaders(head).find(({ name }) => name.toLowerCase() === 'subject')?.value ?? ''
    return `${fileName(headerText(subject).replace(/[/\\]/g, '-')) || 'message'}.eml`
  }
  const known = NAMES[part.mimeType]
  if (known) return known
  const extension = /^(?:image|audio|video)\/([a-z0-9]+)$/.exec(part.mimeType)?.[1] ?? 'bin'
  return `attachment-${index + 1}.${extension}`
}

/**
 * Lists the parts to offer for download: all parts except the body and the images that are shown inside it. `checkTime`
 * may throw.
 */
export function listAttachments(mail: Email, checkTime?: () => void): { info: AttachmentInfo; part: Part }[] {
  const inline = new Set(Array.from(inlineParts(mail, checkTime).values(), ({ part }) => part))
  return mail.attachments
    .filter((part) => !inline.has(part))
    .map((part, index) => ({
      part,
      info: { index, filename: nameOf(part, index), contentType: part.mimeType, size: sizeOf(part) },
    }))
}

/**
 * Lists the parts before the first image that HTML may show. Their indexes do not depend on the HTML, of which a first
 * look may have read only the beginning.
 */
export function attachmentsBeforeImages(mail: Email): ReturnType<typeof listAttachments> {
  const end = mail.attachments.findIndex(mayBeInline)
  return listAttachments(end === -1 ? mail : { ...mail, attachments: mail.attachments.slice(0, end) })
}

const MAYBE_INLINE = /^(?:image\/|application\/octet-stream$)/
const INLINE_TYPES = /^image\/(?:png|jpe?g|gif|webp|bmp|avif)$/
/** Larger images stay attachments. A data URL of this size still renders without delay. */
const INLINE_MAX_BYTES = 5 * 1024 * 1024

/** Whether HTML may show a part. */
export const mayBeInline = (part: Part): boolean => contentId(part) !== '' && MAYBE_INLINE.test(part.mimeType)

const CID = new RegExp(CID_IN_HTML, 'i')

interface InlineImage {
  part: Part
  type: string
}

/** Returns the type of an image that the HTML may show: the declared one, or else that of its first bytes. */
function inlineType(part: Part): string | undefined {
  const type = INLINE_TYPES.test(part.mimeType) ? part.mimeType : imageType(bytesOf(part))
  return type !== undefined && INLINE_TYPES.test(type) ? type : undefined
}

/** Returns the first image part of each Content-ID that the HTML shows (RFC 2392), as many as have room together. */
function inlineParts(mail: Email, checkTime?: () => void): Map<string, InlineImage> {
  const parts = new Map<string, InlineImage>()
  const html = mail.html ?? ''
  // Most messages have no such images, and reading the HTML takes time.
  const images = mail.attachments.filter(mayBeInline)
  if (images.length === 0 || !CID.test(html)) return parts
  const shown = shownContentIds(fitHtml(html, HTML_MAX_CHARACTERS).html, checkTime)
  let room = MAX_INLINE
  for (const part of images) {
    const id = contentId(part)
    if (!shown.has(id) || parts.has(id) || sizeOf(part) > INLINE_MAX_BYTES) continue
    const type = inlineType(part)
    if (type === undefined) continue
    const length = dataUrl(type, '').length + Math.ceil(sizeOf(part) / 3) * 4
    if (length > room) continue
    room -= length
    parts.set(id, { part, type })
  }
  return parts
}

const dataUrl = (type: string, base64: string): string => `data:${type};base64,${base64}`

/** Returns the data URLs of the images that the HTML shows, by Content-ID. */
export const inlineImages = (mail: Email): Map<string, string> =>
  new Map(Array.from(inlineParts(mail), ([id, { part, type }]) => [id, dataUrl(type, toBase64(bytesOf(part)))]))

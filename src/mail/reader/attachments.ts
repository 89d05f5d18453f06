import type { AttachmentInfo } from '#core/message.ts'
import { bytesOf, clean, type Email, headerText, type Part } from './parse.ts'

const NAMES: Record<string, string> = {
  'text/calendar': 'invite.ics',
  'text/vcard': 'contact.vcf',
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

const isForwarded = (part: Part): boolean => part.mimeType === 'message/rfc822'

/** The name a part gives itself, else one made from its type; a forwarded mail is named by its subject. */
function nameOf(part: Part, index: number): string {
  const own = clean(part.filename ?? '')
  if (own) return own
  if (isForwarded(part)) {
    const head =
      Buffer.from(bytesOf(part))
        .toString('utf8', 0, 16_384)
        .split(/\r?\n\r?\n/, 1)[0] ?? ''
    const subject = /^subject:[ \t]*(.*(?:\r?\n[ \t].*)*)/im.exec(head)?.[1]
    return `${subject ? headerText(subject) : 'message'}.eml`
  }
  const known = NAMES[part.mimeType]
  if (known) return known
  const extension = /^(?:image|audio|video)\/([a-z0-9]+)$/.exec(part.mimeType)?.[1] ?? 'bin'
  return `attachment-${index + 1}.${extension}`
}

/** What the reader is offered to download: every part that isn't the body or an image inside it. */
export function listAttachments(mail: Email): { info: AttachmentInfo; part: Part }[] {
  const inline = inlineParts(mail)
  return mail.attachments
    .filter((part) => !inline.has(part))
    .map((part, index) => {
      const { length } = bytesOf(part)
      return { part, info: { index, filename: nameOf(part, index), contentType: part.mimeType, size: length } }
    })
}

const contentId = (part: Part): string => (part.contentId ?? '').replace(/^<|>$/g, '')

const INLINE_TYPES = /^image\/(?:png|jpe?g|gif|webp|bmp|avif)$/
/** Larger images stay attachments; a data URL of this size still renders at once. */
const INLINE_MAX_BYTES = 5 * 1024 * 1024

/** The parts that the HTML shows by their Content-ID (RFC 2392). */
function inlineParts(mail: Email): Set<Part> {
  const html = mail.html ?? ''
  return new Set(
    mail.attachments.filter((part) => {
      const id = contentId(part)
      const small = id !== '' && INLINE_TYPES.test(part.mimeType) && bytesOf(part).length <= INLINE_MAX_BYTES
      return small && (html.includes(`cid:${id}`) || html.includes(`cid:${encodeURIComponent(id)}`))
    }),
  )
}

/** Content-IDs and the data URLs of the images that the HTML shows. */
export function inlineImages(mail: Email): Map<string, string> {
  return new Map(
    Array.from(inlineParts(mail), (part) => [
      contentId(part),
      `data:${part.mimeType};base64,${Buffer.from(bytesOf(part)).toString('base64')}`,
    ]),
  )
}

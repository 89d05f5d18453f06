import type { Attachment as Part, Email } from 'postal-mime'
import { fromUtf8 } from '../bytes.ts'
import { appendForwarded } from './forwarded.ts'
import type { ParseLimits } from './limits.ts'
import { parseMime } from './mime.ts'
import { uncutSize } from './part-decoders.ts'
import { ParseLimitError, type ParseWork, wholeWork } from './work.ts'

export type { Email, Part }

/** RFC 5322 and MIME; forwarded mails are read with the mail around them, up to `maxForwards` deep. Throws for what is over the limits. */
export async function parseMail(raw: Uint8Array, limits: ParseLimits, forwards = 0): Promise<Email> {
  return parseWithin(raw, wholeWork(raw, limits), forwards)
}

/** As `parseMail`, with the work that it may cost. */
export async function parseWithin(raw: Uint8Array, work: ParseWork, forwards = 0): Promise<Email> {
  const { limits } = work
  const mail = await parseMime(raw, work)
  if (forwards < limits.maxForwards) {
    await appendForwarded(mail, async (part) => {
      const inner = bytesOf(part)
      if (sizeOf(part) > inner.length || inner.length > work.nestedBytes) {
        work.partial = true
        return undefined
      }
      work.nestedBytes -= inner.length
      return parseWithin(inner, work, forwards + 1)
    })
  }
  if (mail.attachments.length > limits.maxParts) throw new ParseLimitError(`Over ${limits.maxParts} parts`)
  return mail
}

/** The bytes of a part. */
export function bytesOf(part: Part): Uint8Array {
  const { content } = part
  if (typeof content === 'string') return fromUtf8(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}

/** How many there are in the mail; a first look keeps fewer of them. */
export function sizeOf(part: Part): number {
  return part.content instanceof ArrayBuffer ? uncutSize(part.content) : bytesOf(part).length
}

import type { Attachment as Part, Email } from 'postal-mime'
import { fromUtf8, toUtf8 } from '../bytes.ts'
import { appendForwarded } from './forwarded.ts'
import type { ParseLimits } from './limits.ts'
import { calendarIn, parseMime } from './mime.ts'
import { uncutSize } from './part-decoders.ts'
import { ParseLimitError, type ParseWork, completeWork } from './work.ts'

export type { Email, Part }

/**
 * Parses a message (RFC 5322, MIME) and the messages forwarded within it, up to `maxForwards` levels. Rejects if it
 * exceeds a limit.
 */
export async function parseMail(raw: Uint8Array, limits: ParseLimits, forwards = 0): Promise<Email> {
  return parseWithin(raw, completeWork(raw, limits), forwards)
}

/** Like `parseMail`, with the work that it may cost. */
export async function parseWithin(raw: Uint8Array, work: ParseWork, forwards = 0): Promise<Email> {
  const { limits } = work
  const mail = await parseMime(raw, work)
  if (forwards < limits.maxForwards) {
    await appendForwarded(mail, async (part) => {
      if (work.inOrder && work.partial) return undefined
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

/** Returns the bytes of a part as they were sent. */
export const bytesOf = (part: Part): Uint8Array => toBytes(part.content)

/** Returns the text of a part. The charset of calendars is known, other parts are read as UTF-8. */
export const textOfPart = (part: Part): string => toUtf8(toBytes(calendarIn(part) ?? part.content))

function toBytes(content: Part['content']): Uint8Array {
  if (typeof content === 'string') return fromUtf8(content)
  return content instanceof Uint8Array ? content : new Uint8Array(content)
}

/** Returns the size of a part in the message. A first look may have kept fewer bytes. */
export function sizeOf(part: Part): number {
  return part.content instanceof ArrayBuffer ? uncutSize(part.content) : bytesOf(part).length
}

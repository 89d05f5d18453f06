import type { AttachmentInfo, Envelope, SummaryContent } from '#core/mailbox/message.ts'
import { MAX_HTML } from '../finder/finder.ts'
import { withoutBulk } from '../html/without-bulk.ts'
import { attachmentsBeforeImages, listAttachments, mayBeInline } from './attachments.ts'
import { partialSummary } from './fallback.ts'
import { isMessage } from './forwarded.ts'
import type { ParseLimits } from './limits.ts'
import { type Email, parseWithin } from './parse.ts'
import { summarize } from './summarize.ts'
import { nestedBytesOf, type ParseWork } from './work.ts'

/** CPU time for the first look at a message, in microseconds. */
const BUDGET = 50_000
/**
 * Messages up to this size cost a fraction of the budget. If one takes longer, the machine is slow, so the budget does
 * not apply.
 */
const SMALL_BYTES = 32 * 1024
/** Bytes of text, and of messages forwarded within, that are read. */
interface Read {
  text: number
  nested: number
}
const FOR_SUMMARY: Read = { text: 256 * 1024, nested: 64 * 1024 }
/** Which images are attachments depends on all of the HTML. Text may follow a large style sheet or embedded image. */
const FOR_ALL = 2 * 1024 * 1024

/** No more than a complete parse reads: what that leaves out is no attachment. */
const readForAll = (raw: Uint8Array): Read => ({
  text: FOR_ALL,
  nested: Math.min(FOR_ALL, nestedBytesOf(raw)),
})

class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Bytes of any other part, which tell the type of an image. */
const FIRST_BYTES = 16

/**
 * Limits the text of all parts together. Attachments are counted, but only their first bytes are kept. `deadline`: in
 * CPU time.
 */
function firstLookWork(limits: ParseLimits, read: Read, deadline: number): ParseWork {
  const text = { left: read.text }
  return {
    limits,
    nestedBytes: read.nested,
    partial: false,
    cut: false,
    inOrder: true,
    keep(contentType) {
      if (isMessage(contentType)) return { left: read.nested }
      return /^text\/|^application\/ics$/.test(contentType) ? text : { left: FIRST_BYTES }
    },
    checkTime() {
      if (processorTime() > deadline) throw new OutOfTime('The first look takes too long')
    },
  }
}

/**
 * Extracts the summary of a message within 50 ms of CPU time. If the message would take longer, the summary is
 * `partial` and contains only what the headers say. Rejects if the message exceeds the limits of the parser.
 */
export async function firstLook(raw: Uint8Array, envelope: Envelope, limits: ParseLimits): Promise<SummaryContent> {
  const deadline = raw.length <= SMALL_BYTES ? Infinity : processorTime() + BUDGET
  const work = firstLookWork(limits, FOR_SUMMARY, deadline)
  try {
    const mail = await parseWithin(raw, work)
    // Style sheets and embedded images may have used up the text that is read.
    const isShort = work.cut && mail.html !== undefined && withoutBulk(mail.html).length < MAX_HTML
    const isUncertain = isShort || ((work.partial || work.cut) && mail.attachments.some(mayBeInline))
    const more = isUncertain ? await readMore(raw, firstLookWork(limits, readForAll(raw), deadline)) : undefined
    // The work after parsing is bounded by the amount of text that was kept.
    const summary = summarize((isShort && more?.mail) || mail, envelope)
    const all = isUncertain ? more?.attachments : summary.attachments
    const attachments = all ?? infosOf(attachmentsBeforeImages(mail))
    return { ...summary, attachments, ...(work.partial || !all ? { partial: true } : {}) }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return partialSummary(raw, envelope)
  }
}

/**
 * Reads more text, and lists the attachments as a complete parse would. Resolves with undefined if that takes too much
 * work.
 */
async function readMore(
  raw: Uint8Array,
  work: ParseWork,
): Promise<{ mail: Email; attachments: AttachmentInfo[] } | undefined> {
  try {
    const mail = await parseWithin(raw, work)
    if (work.partial || work.cut) return undefined
    return { mail, attachments: infosOf(listAttachments(mail, work.checkTime)) }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return undefined
  }
}

const infosOf = (attachments: ReturnType<typeof listAttachments>): AttachmentInfo[] =>
  attachments.map(({ info }) => info)

import type { Envelope, SummaryContent } from '#core/mailbox/message.ts'
import { partialSummary } from './fallback.ts'
import type { ParseLimits } from './limits.ts'
import { parseWithin } from './parse.ts'
import { summarize } from './summarize.ts'
import type { ParseWork } from './work.ts'

/** CPU time for the first look at a message, in microseconds. */
const BUDGET = 50_000
/**
 * Messages up to this size cost a fraction of the budget. If one takes longer, the machine is slow, so the budget does
 * not apply.
 */
const SMALL_BYTES = 32 * 1024
/** Bytes of text, and of a message forwarded within, that the first look reads. */
const TEXT_BYTES = 256 * 1024
const NESTED_BYTES = 64 * 1024

class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Bytes of any other part, which tell the type of an image. */
const FIRST_BYTES = 16

/** Limits the text of all parts together. Attachments are counted, but only their first bytes are kept. */
function firstLookWork(raw: Uint8Array, limits: ParseLimits): ParseWork {
  const deadline = raw.length <= SMALL_BYTES ? Infinity : processorTime() + BUDGET
  const text = { left: TEXT_BYTES }
  return {
    limits,
    nestedBytes: NESTED_BYTES,
    partial: false,
    keep(contentType) {
      if (contentType === 'message/rfc822') return { left: NESTED_BYTES }
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
  const work = firstLookWork(raw, limits)
  try {
    const mail = await parseWithin(raw, work)
    // The work after parsing is bounded by the amount of text that was kept.
    const summary = summarize(mail, envelope)
    return work.partial ? { ...summary, partial: true } : summary
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return partialSummary(raw, envelope)
  }
}

import type { Envelope, SummaryContent } from '#core/mailbox/message.ts'
import { fromUtf8 } from '../bytes.ts'
import { fallbackSummary } from './fallback.ts'
import { defaultParseLimits, type ParseLimits } from './limits.ts'
import { parseWithin } from './parse.ts'
import { summarize } from './summarize.ts'
import type { ParseWork } from './work.ts'

/** Time of the processor for the first look at a mail, in microseconds. */
const BUDGET = 50_000
/** A mail of this size costs a fraction of that, whatever it is; what takes longer is the machine, and no reason to leave anything out. */
const SMALL_BYTES = 32 * 1024
/** Bytes of text, and of a mail forwarded within, that the first look goes through. */
const TEXT_BYTES = 256 * 1024
const NESTED_BYTES = 64 * 1024

class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Text in all parts together; of attachments nothing is kept, they are counted. */
function firstWork(raw: Uint8Array, limits: ParseLimits): ParseWork {
  const until = raw.length <= SMALL_BYTES ? Infinity : processorTime() + BUDGET
  const text = { left: TEXT_BYTES }
  return {
    limits,
    nestedBytes: NESTED_BYTES,
    partial: false,
    keep(contentType) {
      if (contentType === 'message/rfc822') return { left: NESTED_BYTES }
      return /^text\/|^application\/ics$/.test(contentType) ? text : { left: 0 }
    },
    look() {
      if (processorTime() > until) throw new OutOfTime('The first look takes too long')
    },
  }
}

/**
 * What an inbox row shows, within 50 ms of the processor whatever the mail is: of a mail that would take longer its headers, and the
 * summary is `partial`. Throws for what is over the limits of the parser.
 */
export async function firstLook(raw: Uint8Array, envelope: Envelope, limits: ParseLimits): Promise<SummaryContent> {
  const work = firstWork(raw, limits)
  try {
    const mail = await parseWithin(raw, work)
    // What follows the reading of lines is bounded by the text that was kept.
    const summary = summarize(mail, envelope)
    return work.partial ? { ...summary, partial: true } : summary
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return partialSummary(raw, envelope)
  }
}

/** What the headers say of a mail that there was no time for. */
export const partialSummary = (raw: Uint8Array, { recipient }: Envelope): SummaryContent => ({
  ...fallbackSummary(raw, recipient),
  unreadable: false,
  partial: true,
})

const SAMPLE = `From: Mayfly <a@mayfly.test>
Subject: Your code
Content-Type: multipart/alternative; boundary=b

--b

Your code is 482913
--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>Your code is <b>482913</b> <a href=3D"https://mayfly.test/confirm">Confirm</a></p>
--b
Content-Type: application/pdf
Content-Transfer-Encoding: base64

QUJD
--b--
`
const WARM_UP_ROUNDS = 5

/** The first look of a thread would cost tens of times the second: the code is read and compiled then. */
export async function warmUp(): Promise<void> {
  const raw = fromUtf8(SAMPLE)
  const envelope = { mailFrom: '', recipient: '', helo: '', clientAddress: '', tls: false, receivedAt: 0 }
  for (let i = 0; i < WARM_UP_ROUNDS; i++) {
    await firstLook(raw, envelope, defaultParseLimits)
  }
}

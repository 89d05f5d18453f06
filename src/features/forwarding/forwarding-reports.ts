import { MayflyError } from '#core/errors.ts'
import type { ForwardingId, ForwardingJobStore, ForwardingStore, MailReport } from '#core/forwarding/forwarding.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Marks } from '#mail/forwarding/mark.ts'
import type { ReturnPaths } from '#mail/forwarding/srs.ts'
import type { ForwardingFaults } from './forwarding-faults.ts'

/** What machines tell us of mails that we forwarded. */
export interface ForwardingReports {
  /** Whether a local part has the form of our return paths: it is nobody's address, then. */
  isReturnPath(localPart: string): boolean
  /** The job whose return path a local part is; undefined for one that was not made here, or is too old. */
  jobOf(localPart: string): string | undefined
  /**
   * Reads a mail that came to the return paths of jobs, or, without them, to abuse@, and does what it says; passes over what is no
   * report. The same mail once more changes nothing. Rejects where the store fails, or doesn't know yet what
   * became of the mail: it must come again.
   */
  read(raw: Uint8Array, jobIds: readonly string[]): Promise<void>
}

export interface ForwardingReportsDeps {
  store: Pick<ForwardingStore, 'ofDestination'>
  jobs: Pick<ForwardingJobStore, 'find' | 'cameBack'>
  reader: Pick<MailReader, 'report'>
  returnPaths: ReturnPaths
  marks: Pick<Marks, 'readMark' | 'readStopToken'>
  faults: ForwardingFaults
  clock: Clock
  metrics: Metrics
}

type Complaint = Extract<MailReport, { kind: 'complaint' }>

/** In the link of a forwarded mail, whichever site and language it leads to. */
const STOP_TOKEN = /[?&]stop=([\w-]+)$/

/** Of a status (RFC 3463 2): to try again is of no use. */
const isPermanent = (status: string): boolean => status.startsWith('5.')

export function createForwardingReports({ jobs, reader, metrics, ...deps }: ForwardingReportsDeps): ForwardingReports {
  async function bounced(jobId: string, status: string): Promise<void> {
    const job = await jobs.find(jobId)
    // A relay may be faster than our book, or have what we believe it has not: it will come again.
    if (job?.outcome === null) throw new MayflyError('store_unavailable', 'The mail is not written down as sent yet')
    if (!job || !(await jobs.cameBack(jobId, status))) return
    metrics.count('forwarding_reports', { kind: 'bounce' })
    await deps.faults.bounced(job.forwardingId, status)
  }

  /** Jobs are forgotten after some days, or with their message; what the stop link of the mail is about is found as long as it is there. */
  async function accused({ mark, stopUrl }: Complaint): Promise<ForwardingId | undefined> {
    const jobId = mark === null ? undefined : deps.marks.readMark(mark)
    const job = jobId === undefined ? undefined : await jobs.find(jobId)
    if (job) return job.forwardingId
    const link = deps.marks.readStopToken(STOP_TOKEN.exec(stopUrl ?? '')?.[1] ?? '')
    return link && (await deps.store.ofDestination(link.destinationKey)).find(link.isOf)?.id
  }

  async function complained(complaint: Complaint): Promise<void> {
    const id = await accused(complaint)
    if (id === undefined) return
    metrics.count('forwarding_reports', { kind: 'complaint' })
    await deps.faults.complained(id)
  }

  return {
    isReturnPath: (localPart) => /^srs0=/i.test(localPart),
    jobOf: (localPart) => deps.returnPaths.decode(localPart, deps.clock()),
    async read(raw, jobIds) {
      const report = await reader.report(raw)
      if (report?.kind === 'complaint') return complained(report)
      const status = report?.statuses.find(isPermanent)
      if (status !== undefined) await Promise.all(jobIds.map((id) => bounced(id, status)))
    },
  }
}

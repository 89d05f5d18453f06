import { MayflyError } from '#core/errors.ts'
import type { ForwardingId, ForwardingJobStore, ForwardingStore, MailReport } from '#core/forwarding/forwarding.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { ForwardingMarks } from '#mail/forwarding/mark.ts'
import type { ReturnPaths } from '#mail/forwarding/srs.ts'
import { isMailboxGone } from '#mail/forwarding/status.ts'
import type { ForwardingFailures } from './forwarding-failures.ts'

/** Reads bounces and complaints about forwarded messages. */
export interface ForwardingReports {
  /** Returns whether a local part has the form of a return path (SRS). Such a local part is never a login. */
  isReturnPath(localPart: string): boolean
  /**
   * Returns the id of the job with this return path. Returns undefined if this service did not make it or it is too
   * old.
   */
  jobOf(localPart: string): string | undefined
  /**
   * Applies the report in a message to the return paths of `jobIds`, or to abuse@ if `jobIds` is empty. Ignores a
   * message that is not a report. Applying the same report twice has no further effect. Rejects if the store fails or
   * the result of the job is not stored yet. The client must then send the message again. `clientAddress` and `signal`:
   * see `MailReader.report`.
   */
  read(raw: Uint8Array, jobIds: readonly string[], options: Parameters<MailReader['report']>[1]): Promise<void>
}

interface ForwardingReportsDeps {
  store: Pick<ForwardingStore, 'ofDestination'>
  jobs: Pick<ForwardingJobStore, 'find' | 'recordBounce'>
  reader: Pick<MailReader, 'report'>
  returnPaths: ReturnPaths
  marks: Pick<ForwardingMarks, 'readMark' | 'readStopToken'>
  failures: ForwardingFailures
  clock: Clock
  metrics: Metrics
}

type Complaint = Extract<MailReport, { kind: 'complaint' }>

/** Finds the token in the stop link of a forwarded message, for any site and language. */
const STOP_TOKEN = /[?&]stop=([\w-]+)$/

export function createForwardingReports({ jobs, reader, metrics, ...deps }: ForwardingReportsDeps): ForwardingReports {
  async function handleBounce(jobId: string, status: string): Promise<void> {
    const job = await jobs.find(jobId)
    // The bounce may arrive before the result of the job is stored. The relay will send it again.
    if (job?.outcome === null) throw new MayflyError('store_unavailable', 'The result of the job is not stored yet')
    if (!job || !(await jobs.recordBounce(jobId, status))) return
    metrics.count('forwarding_reports', { kind: 'bounce' })
    if (isMailboxGone(status)) await deps.failures.recordBounce(job.forwardingId)
  }

  /**
   * Returns the forwarding that a complaint is about. Jobs are removed after some days and together with their message,
   * so the stop link in the reported message is the second way to find it.
   */
  async function findForwarding({ mark, stopUrl }: Complaint): Promise<ForwardingId | undefined> {
    const jobId = mark === null ? undefined : deps.marks.readMark(mark)
    const job = jobId === undefined ? undefined : await jobs.find(jobId)
    if (job) return job.forwardingId
    const link = deps.marks.readStopToken(STOP_TOKEN.exec(stopUrl ?? '')?.[1] ?? '')
    return link && (await deps.store.ofDestination(link.destinationKey)).find(link.isOf)?.id
  }

  async function handleComplaint(complaint: Complaint): Promise<void> {
    const id = await findForwarding(complaint)
    if (id === undefined) return
    metrics.count('forwarding_reports', { kind: 'complaint' })
    await deps.failures.recordComplaint(id)
  }

  return {
    isReturnPath: (localPart) => /^srs0=/i.test(localPart),
    jobOf: (localPart) => deps.returnPaths.decode(localPart, deps.clock()),
    async read(raw, jobIds, options) {
      const report = await reader.report(raw, options)
      if (report?.kind === 'complaint') return handleComplaint(report)
      // A delivery that has failed may have a temporary status: that of the last attempt (RFC 3464 2.3.3, 2.3.4).
      const status = report?.statuses.find((each) => each.startsWith('5.')) ?? report?.statuses[0]
      if (status !== undefined) await Promise.all(jobIds.map((id) => handleBounce(id, status)))
    },
  }
}

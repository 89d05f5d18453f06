import { MailRefused, type Outbound } from '#core/email/email.ts'
import { isStoreFault } from '#core/errors.ts'
import { activeOf, type DestinationLimits } from '#core/forwarding/forwarding-rules.ts'
import type {
  ForwardingJobStore,
  ForwardingOutcome,
  ForwardingRow,
  ForwardingStore,
  WaitingJob,
} from '#core/forwarding/forwarding.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, MINUTE, SECOND } from '#core/time.ts'
import { type BackOff, waitAfter } from '#lib/back-off.ts'
import { createDispatcher, type Dispatcher } from '#lib/dispatcher.ts'
import { reasonOf } from '#lib/failure-reason.ts'
import { isMailboxGone } from '#mail/forwarding/status.ts'
import type { ForwardingFailures } from './forwarding-failures.ts'
import type { MakeForwardedMail } from './forwarding-mail.ts'
import { createRelayRefusals } from './relay-refusals.ts'

interface ForwardingSenderDeps {
  jobs: ForwardingJobStore
  forwardings: Pick<ForwardingStore, 'list'>
  addresses: Pick<AddressStore, 'find'>
  make: MakeForwardedMail
  outbound: Pick<Outbound, 'send'>
  failures: Pick<ForwardingFailures, 'recordBounce'>
  memory: Pick<MemoryBudget, 'lend'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** Returns a number from 0 up to, but not including, 1. */
  random: () => number
  destinationLimits: DestinationLimits
  /** The maximum number of messages to one destination. */
  limits: { perHour: number; perDay: number }
  /** How long making an email, and sending it to the relay, may take, in milliseconds. */
  timeouts: { make: number; send: number }
  /** How long a job is retried, in milliseconds. */
  retryFor: number
  /** The maximum number of jobs that run at once. */
  maxAtOnce: number
  /** The maximum number of jobs that run at once for one destination. */
  maxPerDestination: number
}

/** The result of an attempt: a final outcome, or a retry with the fields to log. Without memory there was no attempt. */
type AttemptResult =
  | { outcome: ForwardingOutcome; status?: string | null; isGone?: boolean; reason?: object }
  | { retry: object; isAttempt?: false }

/** Copies of a message in memory: sealed, opened, a copy for the thread, with its new head, and the socket's buffer. */
const COPIES = 5
/** How long a job waits for memory, in milliseconds. Then it is postponed, so that others have its slot. */
const MEMORY_PATIENCE = 20 * SECOND
const BACK_OFF: BackOff = { first: MINUTE, longest: 60 * MINUTE }

/**
 * Sends forwarded messages. Every node has a sender. A node leases a job for as long as an attempt may take. If the
 * node dies, another node takes the job after that.
 */
export function createForwardingSender(deps: ForwardingSenderDeps): Dispatcher {
  const { jobs, clock, logger, metrics } = deps
  const { make, send } = deps.timeouts
  const refusals = createRelayRefusals(logger, clock)

  /** Returns the forwarding of a job if it is active. */
  async function activeFor({ addressId, forwardingId }: WaitingJob): Promise<ForwardingRow | undefined> {
    const now = clock()
    const address = await deps.addresses.find(addressId, now)
    if (!address) return undefined
    const active = activeOf(await deps.forwardings.list(addressId), address, deps.destinationLimits, now)
    return active.find(({ id }) => id === forwardingId)
  }

  async function makeAndSend(
    job: WaitingJob,
    forwarding: ForwardingRow,
    sealedMail: Uint8Array,
  ): Promise<AttemptResult> {
    const mail = await deps.make(job, forwarding, sealedMail)
    if (mail === 'unknown-sender') return { retry: { reason: mail } }
    if (typeof mail === 'string') return { outcome: mail }
    // Making the email waits for the sender's name servers. In the meantime the forwarding may have ended or the
    // message may have been deleted.
    const isPending = (await jobs.find(job.id))?.outcome === null
    if (!isPending || !(await activeFor(job))) return { outcome: 'off' }
    // The lease could end before the relay accepts the message. Another node would then send it, too.
    if (clock() + send > job.leasedUntil) return { retry: { reason: 'late' } }
    try {
      await deps.outbound.send(mail)
    } catch (error) {
      if (error instanceof MailRefused) return refused(job, mail.to, error)
      throw error
    }
    refusals.accepted()
    return { outcome: 'sent' }
  }

  function refused(job: WaitingJob, to: string, error: MailRefused): AttemptResult {
    const { status, isUnknown, isRecipient } = error
    const reason = reasonOf(error)
    if (!isRecipient) refusals.accepted()
    const refusal = isRecipient ? refusals.refused(job.destinationKey, to, error) : 'first'
    if (refusal === 'all') return { retry: reason }
    const isGone = refusal === 'first' && (isUnknown || isMailboxGone(status))
    return { outcome: 'refused', status, isGone, reason }
  }

  async function attempt(job: WaitingJob): Promise<AttemptResult> {
    const forwarding = await activeFor(job)
    if (!forwarding) return { outcome: 'off' }
    const patience = MEMORY_PATIENCE
    const giveBack = await deps.memory.lend(job.size * COPIES, { kind: 'forward', patience }).catch(() => null)
    if (!giveBack) return { retry: { reason: 'memory' }, isAttempt: false }
    try {
      if (job.attempts === 0 && !(await jobs.reserve(job.destinationKey, clock(), deps.limits))) {
        return { outcome: 'too-many' }
      }
      const sealedMail = await jobs.mail(job)
      if (!sealedMail) return { outcome: 'off' }
      return await makeAndSend(job, forwarding, sealedMail)
    } catch (error) {
      if (isStoreFault(error)) throw error
      return { retry: reasonOf(error) }
    } finally {
      giveBack()
    }
  }

  /** Schedules another attempt after a temporary failure, or gives up when `retryFor` is over. */
  async function postpone(job: WaitingJob, reason: object, isAttempt: boolean): Promise<void> {
    const dueAt = clock() + waitAfter(isAttempt ? job.attempts : 0, BACK_OFF, deps.random)
    if (dueAt >= job.createdAt + deps.retryFor) return finish(job, { outcome: 'given-up', reason })
    if (!(await jobs.postpone(job, dueAt, { isAttempt }))) return
    metrics.count('forwards', { outcome: 'postponed' })
    logger.info({ attempts: job.attempts + (isAttempt ? 1 : 0), ...reason }, 'forwarding postponed')
  }

  async function finish(
    job: WaitingJob,
    { outcome, status = null, isGone = false, reason }: Exclude<AttemptResult, { retry: object }>,
  ): Promise<void> {
    if (!(await jobs.finish(job, outcome, clock(), status))) return
    metrics.count('forwards', { outcome })
    if (reason) logger.info({ outcome, status, ...reason }, 'message not forwarded')
    if (isGone) await deps.failures.recordBounce(job.forwardingId)
  }

  async function run(job: WaitingJob): Promise<void> {
    const startedAt = clock()
    const result = await attempt(job)
    metrics.observe('forward_seconds', (clock() - startedAt) / SECOND)
    return 'retry' in result ? postpone(job, result.retry, result.isAttempt ?? true) : finish(job, result)
  }

  return createDispatcher({
    name: 'forwarding',
    logger,
    take(options) {
      const now = clock()
      // The lease includes the sending time twice, because an attempt does not start to send unless the whole time is
      // left.
      return jobs.take(now, now + make + 2 * send, options)
    },
    destination: ({ destinationKey }) => destinationKey,
    run,
    onLook: async () => metrics.gauge('forwards_waiting', await jobs.waiting()),
    maxAtOnce: deps.maxAtOnce,
    maxPerDestination: deps.maxPerDestination,
  })
}

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
import type { ForwardingFaults } from './forwarding-faults.ts'
import type { MakeForwardedMail } from './forwarding-mail.ts'

export interface ForwardingSenderDeps {
  jobs: ForwardingJobStore
  forwardings: Pick<ForwardingStore, 'list'>
  addresses: Pick<AddressStore, 'find'>
  make: MakeForwardedMail
  outbound: Pick<Outbound, 'send'>
  faults: Pick<ForwardingFaults, 'bounced'>
  memory: Pick<MemoryBudget, 'lend'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** From 0 up to 1. */
  random: () => number
  destinationLimits: DestinationLimits
  /** Mails to one destination. */
  limits: { perHour: number; perDay: number }
  /** How long making a mail, and handing it over, may take, and how long it is tried, in milliseconds. */
  timeouts: { make: number; send: number }
  retryFor: number
  /** Mails at one time, in all and to one destination. */
  maxAtOnce: number
  maxPerDestination: number
}

/** What became of a try; `later` has what the log says of it. */
type Verdict = { outcome: ForwardingOutcome; status?: string | null; reason?: object } | { later: object }

/** A mail that goes on: sealed, open, a copy for the thread that checks it, with its new head, and what the relay has not taken. */
const COPIES = 5
const BACK_OFF: BackOff = { first: MINUTE, longest: 60 * MINUTE }

/** Every node forwards: who takes a mail has it for as long as a try may take, and if he dies another takes it after that. */
export function createForwardingSender(deps: ForwardingSenderDeps): Dispatcher {
  const { jobs, clock, logger, metrics } = deps
  const { make, send } = deps.timeouts

  /** The forwarding of a job, as long as it is on. */
  async function activeFor({ addressId, forwardingId }: WaitingJob): Promise<ForwardingRow | undefined> {
    const now = clock()
    const address = await deps.addresses.find(addressId, now)
    if (!address) return undefined
    const active = activeOf(await deps.forwardings.list(addressId), address, deps.destinationLimits, now)
    return active.find(({ id }) => id === forwardingId)
  }

  async function hand(job: WaitingJob, forwarding: ForwardingRow, sealedMail: Uint8Array): Promise<Verdict> {
    const mail = await deps.make(job, forwarding, sealedMail)
    if (mail === 'unknown-sender') return { later: { reason: mail } }
    if (typeof mail === 'string') return { outcome: mail }
    // Making it takes as long as the sender's name servers like: it may have been stopped, or the message removed, meanwhile.
    const waits = (await jobs.find(job.id))?.outcome === null
    if (!waits || !(await activeFor(job))) return { outcome: 'off' }
    // Somebody else may have it by the time that the relay has it.
    if (clock() + send > job.leasedUntil) return { later: { reason: 'late' } }
    await deps.outbound.send(mail)
    return { outcome: 'sent' }
  }

  async function attempt(job: WaitingJob): Promise<Verdict> {
    const forwarding = await activeFor(job)
    if (!forwarding) return { outcome: 'off' }
    if (job.attempts === 0 && !(await jobs.reserve(job.destinationKey, clock(), deps.limits))) {
      return { outcome: 'too-many' }
    }
    const sealedMail = await jobs.mail(job)
    if (!sealedMail) return { outcome: 'off' }
    const giveBack = await deps.memory.lend(sealedMail.length * COPIES)
    try {
      return await hand(job, forwarding, sealedMail)
    } catch (error) {
      if (isStoreFault(error)) throw error
      const reason = reasonOf(error)
      return error instanceof MailRefused ? { outcome: 'refused', status: error.status, reason } : { later: reason }
    } finally {
      giveBack()
    }
  }

  /** What the relay does to us before it hears of a recipient, and all else that may heal, comes again until it is too late. */
  async function postpone(job: WaitingJob, reason: object): Promise<void> {
    const dueAt = clock() + waitAfter(job.attempts, BACK_OFF, deps.random)
    if (dueAt >= job.createdAt + deps.retryFor) return finish(job, { outcome: 'given-up', reason })
    if (!(await jobs.postpone(job, dueAt))) return
    metrics.count('forwards', { outcome: 'postponed' })
    logger.info({ attempts: job.attempts + 1, ...reason }, 'forwarding postponed')
  }

  async function finish(
    job: WaitingJob,
    { outcome, status = null, reason }: Exclude<Verdict, { later: object }>,
  ): Promise<void> {
    if (!(await jobs.finish(job, outcome, clock(), status))) return
    metrics.count('forwards', { outcome })
    if (reason) logger.info({ outcome, status, ...reason }, 'mail not forwarded')
    if (outcome === 'refused') await deps.faults.bounced(job.forwardingId, status)
  }

  async function run(job: WaitingJob): Promise<void> {
    const began = clock()
    const verdict = await attempt(job)
    metrics.observe('forward_seconds', (clock() - began) / SECOND)
    return 'later' in verdict ? postpone(job, verdict.later) : finish(job, verdict)
  }

  return createDispatcher({
    name: 'forwarding',
    logger,
    take(options) {
      const now = clock()
      // Time to hand it over twice, since nobody begins that when there isn't time for it.
      return jobs.take(now, now + make + 2 * send, options)
    },
    destination: ({ destinationKey }) => destinationKey,
    run,
    onLook: async () => metrics.gauge('forwards_waiting', await jobs.waiting()),
    maxAtOnce: deps.maxAtOnce,
    maxPerDestination: deps.maxPerDestination,
  })
}

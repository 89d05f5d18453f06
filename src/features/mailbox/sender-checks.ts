import type { MailReader } from '#core/mailbox/mail-reader.ts'
import { type Authentication, type Envelope, NOT_CHECKED } from '#core/mailbox/message.ts'
import type { GiveBack, MemoryBudget } from '#core/memory-budget.ts'
import type { Metrics } from '#core/telemetry.ts'

/** Checks the sender of a message (SPF, DKIM, DMARC) in the background. */
export interface SenderChecks {
  /** Returns the results. All of them are `temperror` if nothing could be checked. Never rejects. */
  check(raw: Uint8Array, envelope: Envelope): Promise<Authentication>
}

interface SenderChecksDeps {
  reader: Pick<MailReader, 'authenticate'>
  memory: MemoryBudget
  metrics: Metrics
  /** The maximum number of pending checks. Further checks return `NOT_CHECKED` at once. */
  maxWaiting: number
  /**
   * A circuit breaker. After `failures` consecutive checks without an answer from any name server, only one check is
   * made in each `pause` milliseconds.
   */
  breaker: { failures: number; pause: number }
  /** Milliseconds, monotonic. */
  now?: () => number
}

/** Copies of a message in memory during its check. */
const COPIES = 2

/** Returns whether no name server answered any query. */
export const isUnchecked = ({ spf, dkim, dmarc }: Authentication): boolean =>
  [spf, dkim, dmarc].every((result) => result === 'temperror')

/** Resolves with whether a check ends within this many milliseconds. */
export async function endsWithin(check: Promise<Authentication>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, milliseconds, false)
  return Promise.race([check.then(() => true), late]).finally(() => clearTimeout(timer))
}

export function createSenderChecks(deps: SenderChecksDeps): SenderChecks {
  const { reader, metrics, breaker, now = () => performance.now() } = deps
  let pending = 0
  /** The number of consecutive checks without an answer. */
  let failures = 0
  /** The time at which the open breaker allows the next check. */
  let probeAt = 0

  /**
   * Returns whether a check may be made. An open breaker allows one check per pause to find out whether name servers
   * answer again.
   */
  function isAllowed(): boolean {
    if (failures < breaker.failures) return true
    if (now() < probeAt) return false
    probeAt = now() + breaker.pause
    return true
  }

  function record(result: Authentication): Authentication {
    failures = isUnchecked(result) ? failures + 1 : 0
    if (failures === breaker.failures) probeAt = now() + breaker.pause
    return result
  }

  async function authenticate(raw: Uint8Array, envelope: Envelope, giveBack: GiveBack): Promise<Authentication> {
    pending++
    try {
      return record(await reader.authenticate(raw, envelope))
    } catch {
      return NOT_CHECKED
    } finally {
      pending--
      giveBack()
    }
  }

  return {
    async check(raw, envelope) {
      const giveBack =
        pending < deps.maxWaiting && isAllowed() ? deps.memory.tryLend(raw.length * COPIES, { slow: true }) : undefined
      if (giveBack) return authenticate(raw, envelope, giveBack)
      metrics.count('sender_checks_skipped')
      return NOT_CHECKED
    },
  }
}

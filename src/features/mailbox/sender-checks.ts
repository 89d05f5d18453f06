import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { Authentication, Envelope } from '#core/mailbox/message.ts'
import type { GiveBack, MemoryBudget } from '#core/memory-budget.ts'
import type { Metrics } from '#core/telemetry.ts'

/** Looks up who sent a mail (SPF, DKIM, DMARC), beside everything else: nothing waits for it. */
export interface SenderChecks {
  /** The results, all `temperror` where nothing could be checked. Never rejects. */
  check(raw: Uint8Array, envelope: Envelope): Promise<Authentication>
}

export interface SenderChecksDeps {
  reader: Pick<MailReader, 'authenticate'>
  memory: MemoryBudget
  metrics: Metrics
  /** Checks that run and wait. More are answered as not checked. */
  maxWaiting: number
  /** So many checks in a row to which no name server answered, and for so many milliseconds nothing is asked but once in between. */
  breaker: { failures: number; pause: number }
  /** Milliseconds, monotonic. */
  now?: () => number
}

const COPIES = 2

export const notChecked: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }

/** Whether no name server answered to any question. */
export const isUnchecked = ({ spf, dkim, dmarc }: Authentication): boolean =>
  [spf, dkim, dmarc].every((result) => result === 'temperror')

export function createSenderChecks(deps: SenderChecksDeps): SenderChecks {
  const { reader, metrics, breaker, now = () => performance.now() } = deps
  let waiting = 0
  /** Checks in a row that no name server answered. */
  let failures = 0
  /** When the breaker lets the next check through. */
  let probeAt = 0

  /** With the breaker open one check goes through in each pause, to see whether somebody answers again. */
  function mayAsk(): boolean {
    if (failures < breaker.failures) return true
    if (now() < probeAt) return false
    probeAt = now() + breaker.pause
    return true
  }

  function heard(result: Authentication): Authentication {
    failures = isUnchecked(result) ? failures + 1 : 0
    if (failures === breaker.failures) probeAt = now() + breaker.pause
    return result
  }

  async function ask(raw: Uint8Array, envelope: Envelope, giveBack: GiveBack): Promise<Authentication> {
    waiting++
    try {
      return heard(await reader.authenticate(raw, envelope))
    } catch {
      return notChecked
    } finally {
      waiting--
      giveBack()
    }
  }

  return {
    async check(raw, envelope) {
      const giveBack = waiting < deps.maxWaiting && mayAsk() ? deps.memory.tryLend(raw.length * COPIES) : undefined
      if (giveBack) return ask(raw, envelope, giveBack)
      metrics.count('sender_checks_skipped')
      return notChecked
    },
  }
}

import { LRUCache } from 'lru-cache'
import type { CheckedSender, MailReader } from '#core/mailbox/mail-reader.ts'
import { type Authentication, type Envelope, NOT_CHECKED } from '#core/mailbox/message.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import { widestNetwork } from '#core/networks.ts'
import type { Metrics } from '#core/telemetry.ts'
import { createSenderCheckLoans } from './sender-check-loans.ts'

/** Checks the sender of a message (SPF, DKIM, DMARC) in the background. */
export interface SenderChecks {
  /**
   * Returns the results. All of them are `temperror` if nothing could be checked. May wait for memory. Never rejects.
   */
  check(raw: Uint8Array, envelope: Envelope): Promise<Authentication>
}

interface SenderChecksDeps {
  reader: Pick<MailReader, 'authenticate'>
  memory: MemoryBudget
  metrics: Metrics
  /** The maximum number of pending checks. Further checks return `NOT_CHECKED` at once. */
  maxWaiting: number
  /**
   * A circuit breaker for each sending network. After `failures` consecutive checks without a response from any name
   * server, only one check is made in each `pause` milliseconds. A sender chooses the name servers of its check, so it
   * must not decide about the messages of others.
   */
  breaker: { failures: number; pause: number }
  /** Milliseconds, monotonic. */
  now?: () => number
}

/** Returns whether nothing could be checked, because name servers failed or did not respond. */
export const isUnchecked = ({ spf, dkim, dmarc }: Authentication): boolean =>
  [spf, dkim, dmarc].every((result) => result === 'temperror')

/** The maximum number of networks whose failures are counted. */
const NETWORKS_MAX = 10_000

/** Resolves with whether a check ends within this many milliseconds. */
export async function endsWithin(check: Promise<Authentication>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, milliseconds, false)
  return Promise.race([check.then(() => true), late]).finally(() => clearTimeout(timer))
}

export function createSenderChecks(deps: SenderChecksDeps): SenderChecks {
  const { reader, memory, metrics, breaker, now = () => performance.now() } = deps
  const lend = createSenderCheckLoans(memory)
  let pending = 0
  /** Per network: the number of consecutive checks without a response, and when an open breaker allows the next one. */
  const silent = new LRUCache<string, { failures: number; probeAt: number }>({ max: NETWORKS_MAX })

  /**
   * Returns whether a check may be made. An open breaker allows one check per pause to find out whether name servers
   * respond again.
   */
  function isAllowed(network: string): boolean {
    const known = silent.get(network)
    if (!known || known.failures < breaker.failures) return true
    if (now() < known.probeAt) return false
    known.probeAt = now() + breaker.pause
    return true
  }

  function record({ answered, ...result }: CheckedSender, network: string): Authentication {
    if (answered || !isUnchecked(result)) {
      silent.delete(network)
      return result
    }
    const known = silent.get(network) ?? { failures: 0, probeAt: 0 }
    if (++known.failures === breaker.failures) known.probeAt = now() + breaker.pause
    silent.set(network, known)
    return result
  }

  function skip(): Authentication {
    metrics.count('sender_checks_skipped')
    return NOT_CHECKED
  }

  return {
    async check(raw, envelope) {
      const network = widestNetwork(envelope.clientAddress)
      if (pending >= deps.maxWaiting || !isAllowed(network)) return skip()
      pending++
      const giveBack = await lend(raw, envelope)
      try {
        return giveBack ? record(await reader.authenticate(raw, envelope), network) : skip()
      } catch {
        return NOT_CHECKED
      } finally {
        pending--
        giveBack?.()
      }
    },
  }
}

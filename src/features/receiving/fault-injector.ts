import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { SmtpRefusal } from '#core/errors.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { FaultRule, FaultStage } from '#core/mailbox/fault.ts'
import { HOUR, MINUTE, SECOND } from '#core/time.ts'
import { readFaults } from '#features/mailbox/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

export type FaultyRow = Pick<RecipientRow, 'id' | 'sealedFaults'>

export interface FaultInjector {
  /** Waits for the delays of a stage. Throws `SmtpRefusal` if too many sessions wait. */
  delay(row: FaultyRow, stage: FaultStage, source?: DelaySource): Promise<void>
  /**
   * Throws `SmtpRefusal` if a rule of the stage refuses the attempt. At RCPT, the refusal does not end the connection if
   * the transaction is `shared` with other recipients, nor later than an hour after it first did so.
   */
  refuse(row: FaultyRow, stage: FaultStage, shared?: boolean): void
}

export interface DelaySource {
  /** The IP address of the client. */
  from?: string | undefined
  /** Aborts when the session ends. */
  signal?: AbortSignal | undefined
}

/** The maximum number of addresses whose attempts are counted. The least recently used one is dropped first. */
const COUNTED_MAX = 10_000
/**
 * Sessions that wait at the same time: for one address, and in all. They use connections that other addresses need too.
 * Further attempts get 451, and do not count.
 */
const WAITING_MAX = { address: 10, all: 50 }

const TOO_MANY_WAIT = '451 4.3.2 Too many delayed sessions, try again later'
/**
 * How long after the first closed connection further attempts close it, too. A sender retries its recipients in the same
 * order, so those after the faulty one don't get the message during this time. Senders retry for longer than this.
 */
const ENDS_FOR = HOUR
/** The reply that replaces closing the connection. */
const LATER = '451 4.3.0 Requested by the owner of the address'
/** Replaces a reply that ends the connection with one that does not. */
const withoutEnd = (reply: string): string => (reply === '' ? LATER : reply.replace(/^421/, '451'))
const TOO_MANY = '421 4.7.0 Too many messages, try again later'

interface Counts {
  /** Attempts by rule. */
  attempts: number[]
  /** Times of the last attempts by rule, in milliseconds. */
  times: number[][]
  /** When an attempt first ended the connection, in milliseconds. */
  endedAt?: number
}

/**
 * Injects the faults that the owners of addresses asked for. Each node counts attempts in memory, since the rules were
 * set or the service started. `maxDelayedPerClient`: sessions of one client that wait at the same time, because those of a
 * large provider use connections that other addresses need too. `monotonic` returns milliseconds.
 */
export function createFaultInjector({
  wrap,
  maxDelayedPerClient,
  monotonic = () => performance.now(),
}: {
  wrap: Pick<Wrap, 'unwrapOrEmpty'>
  maxDelayedPerClient: number
  monotonic?: () => number
}): FaultInjector {
  const counts = new LRUCache<string, Counts>({ max: COUNTED_MAX })
  const waiting = new Map<string, number>()

  /** The start of the wrapped rules has a new nonce each time rules are set, which restarts the counts. */
  const countsOf = (id: string, sealed: Uint8Array): Counts => {
    const key = `${id} ${Buffer.from(sealed.subarray(0, 32)).toString('base64')}`
    const found = counts.get(key) ?? { attempts: [], times: [] }
    counts.set(key, found)
    return found
  }

  /** Whether a rule still applies to the next attempt. */
  const applies = ({ first = Infinity }: FaultRule, index: number, { attempts }: Counts): boolean =>
    (attempts[index] ?? 0) < first

  function count(index: number, { attempts }: Counts): void {
    attempts[index] = (attempts[index] ?? 0) + 1
  }

  function isOverLimit(perMinute: number, index: number, { times }: Counts): boolean {
    const now = monotonic()
    const recent = (times[index] ?? []).filter((time) => now - time < MINUTE)
    const isOver = recent.length >= perMinute
    if (!isOver) recent.push(now)
    times[index] = recent
    return isOver
  }

  /** Whether a refusal at RCPT may still end the connection. */
  function mayEnd(counted: Counts): boolean {
    const now = monotonic()
    counted.endedAt ??= now
    return now - counted.endedAt < ENDS_FOR
  }

  /** Takes places among the sessions that wait. Throws `SmtpRefusal` if there are none. */
  function enter(id: string, from = ''): () => void {
    const places = [
      [`address ${id}`, WAITING_MAX.address],
      [`client ${from}`, maxDelayedPerClient],
      ['all', WAITING_MAX.all],
    ] as const
    if (places.some(([name, max]) => (waiting.get(name) ?? 0) >= max)) throw new SmtpRefusal(TOO_MANY_WAIT)
    for (const [name] of places) waiting.set(name, (waiting.get(name) ?? 0) + 1)
    return () => {
      for (const [name] of places) {
        const left = (waiting.get(name) ?? 1) - 1
        if (left === 0) waiting.delete(name)
        else waiting.set(name, left)
      }
    }
  }

  return {
    async delay({ id, sealedFaults }, stage, { from, signal } = {}) {
      if (sealedFaults === null) return
      const counted = countsOf(id, sealedFaults)
      let seconds = 0
      const applied: number[] = []
      for (const [index, rule] of readFaults(wrap, id, sealedFaults).entries()) {
        if (rule.at !== stage || rule.action !== 'delay' || !applies(rule, index, counted)) continue
        seconds += rule.seconds
        applied.push(index)
      }
      if (seconds === 0) return
      const leave = enter(id, from)
      for (const index of applied) count(index, counted)
      try {
        // If the session ends, nobody waits for the reply.
        await setTimeout(seconds * SECOND, undefined, { signal, ref: false }).catch(() => {})
      } finally {
        leave()
      }
    },

    refuse({ id, sealedFaults }, stage, shared = false) {
      if (sealedFaults === null) return
      const counted = countsOf(id, sealedFaults)
      for (const [index, rule] of readFaults(wrap, id, sealedFaults).entries()) {
        if (rule.at !== stage || rule.action === 'delay' || !applies(rule, index, counted)) continue
        count(index, counted)
        if (rule.action === 'limit' && !isOverLimit(rule.perMinute, index, counted)) continue
        const reply = replyOf(rule)
        const continued = withoutEnd(reply)
        const affectsOthers = continued !== reply && stage === 'rcpt' && (shared || !mayEnd(counted))
        throw new SmtpRefusal(affectsOthers ? continued : reply)
      }
    },
  }
}

function replyOf(rule: Exclude<FaultRule, { action: 'delay' }>): string {
  if (rule.action === 'close') return ''
  if (rule.action === 'limit') return TOO_MANY
  const { code, enhancedCode = `${String(code)[0]}.0.0`, text = 'Requested by the owner of the address' } = rule
  return `${code} ${enhancedCode} ${text}`
}

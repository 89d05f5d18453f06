import type { Envelope } from '#core/mailbox/message.ts'
import type { GiveBack, MemoryBudget } from '#core/memory-budget.ts'
import { widestNetwork } from '#core/networks.ts'
import { SECOND } from '#core/time.ts'
import { createTurns } from '#lib/slots.ts'

/**
 * Lends the memory for the check of the sender of a message. Only one message of a sending network waits for it at a
 * time, so that networks take turns. Resolves with undefined after 20 seconds, or at once if too many bytes wait.
 */
type LendForCheck = (raw: Uint8Array, envelope: Pick<Envelope, 'clientAddress'>) => Promise<GiveBack | undefined>

/** Copies of a message in memory during its check. */
const COPIES = 2
const PATIENCE = 20 * SECOND
/** The part of the memory that small waiting messages may have, in addition to the memory that is lent. */
const WAITING_PART = 1 / 8
/** A message with more than this part of that is large. Only one of these waits at a time. */
const LARGE_PART = 1 / 16

export function createSenderCheckLoans(memory: Pick<MemoryBudget, 'limit' | 'tryLend' | 'lend'>): LendForCheck {
  const turns = createTurns()
  const kind = 'check'
  const allowance = memory.limit * WAITING_PART
  let largeWaits = false
  /** The bytes of small messages that wait, in total and by network. */
  let all = 0
  const waiting = new Map<string, number>()

  const isLarge = (bytes: number): boolean => bytes > allowance * LARGE_PART

  /** Whether a message may wait. A network may not have more waiting bytes than it leaves to others. */
  function mayWait(bytes: number, network: string): boolean {
    if (isLarge(bytes)) return !largeWaits
    const own = waiting.get(network) ?? 0
    return allowance - all - bytes >= (own === 0 ? 0 : own + bytes)
  }

  /** Counts a message that waits. Returns a function that ends this. */
  function count(bytes: number, network: string): () => void {
    if (isLarge(bytes)) {
      largeWaits = true
      return () => void (largeWaits = false)
    }
    const add = (change: number): void => {
      all += change
      const own = (waiting.get(network) ?? 0) + change
      if (own === 0) waiting.delete(network)
      else waiting.set(network, own)
    }
    add(bytes)
    return () => add(-bytes)
  }

  return async ({ length }, { clientAddress }) => {
    const bytes = length * COPIES
    const giveBack = memory.tryLend(bytes, { kind })
    const network = widestNetwork(clientAddress)
    if (giveBack || !mayWait(length, network)) return giveBack
    const until = performance.now() + PATIENCE
    const end = count(length, network)
    try {
      return await turns.run(network, () =>
        memory.lend(bytes, { kind, patience: Math.max(0, until - performance.now()) }),
      )
    } catch {
      return undefined
    } finally {
      end()
    }
  }
}

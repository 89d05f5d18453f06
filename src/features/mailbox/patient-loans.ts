import { MayflyError } from '#core/errors.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import type { GiveBack, Kind, MemoryBudget } from '#core/memory-budget.ts'
import { senderNetworks } from '#core/networks.ts'
import { SECOND } from '#core/time.ts'
import { createKeyedSlots } from '#lib/slots.ts'

/**
 * Lends the memory for background work on a received message. Only one message of a sending network waits for it at a
 * time, so that networks take turns. Returns undefined, or a promise of it, if too many bytes wait already or after 20
 * seconds.
 */
export type LendPatiently = (
  raw: Uint8Array,
  envelope: Pick<Envelope, 'clientAddress'>,
) => GiveBack | undefined | Promise<GiveBack | undefined>

interface PatientLoansDeps {
  memory: Pick<MemoryBudget, 'limit' | 'tryLend' | 'lend'>
  kind: Kind
  /** Copies of a message in memory during the work. */
  copies: number
}

const PATIENCE = 20 * SECOND
/** The part of the memory that waiting messages may have, in addition to the memory that is lent. */
const WAITING_PART = 1 / 8

/** The network of the client that sent a message, IPv4 /24 or IPv6 /48. */
export const networkOf = ({ clientAddress }: Pick<Envelope, 'clientAddress'>): string =>
  senderNetworks(clientAddress).at(-1)?.name ?? ''

export function createPatientLoans({ memory, kind, copies }: PatientLoansDeps): LendPatiently {
  const turns = createKeyedSlots({
    atOnce: 1,
    maxWaiting: Number.MAX_SAFE_INTEGER,
    refusal: () => new MayflyError('too_many_requests'),
  })
  /** The bytes of messages that wait, in total and by network. */
  let all = 0
  const waiting = new Map<string, number>()

  /** Whether a message may wait. A network may not have more waiting bytes than it leaves to others. */
  function mayWait(bytes: number, network: string): boolean {
    const own = waiting.get(network) ?? 0
    const free = memory.limit * WAITING_PART - all - bytes
    return all === 0 || free >= (own === 0 ? 0 : own + bytes)
  }

  function add(bytes: number, network: string): void {
    all += bytes
    const own = (waiting.get(network) ?? 0) + bytes
    if (own === 0) waiting.delete(network)
    else waiting.set(network, own)
  }

  async function wait(raw: Uint8Array, network: string): Promise<GiveBack | undefined> {
    const bytes = raw.length
    const until = performance.now() + PATIENCE
    add(bytes, network)
    try {
      return await turns.run(network, () =>
        memory.lend(bytes * copies, { kind, patience: Math.max(0, until - performance.now()) }),
      )
    } catch {
      return undefined
    } finally {
      add(-bytes, network)
    }
  }

  return (raw, envelope) => {
    const giveBack = memory.tryLend(raw.length * copies, { kind })
    if (giveBack) return giveBack
    const network = networkOf(envelope)
    return mayWait(raw.length, network) ? wait(raw, network) : undefined
  }
}

import { MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import { createKeyedSlots, type SlotsOptions } from '#lib/slots.ts'

/**
 * Opens messages. Limits the number of messages of one address that are open at the same time, and the memory of all open
 * messages together.
 */
export interface Readings {
  /**
   * Runs `work` on a message of `bytes` bytes as soon as the limits allow. Rejects with `too_many_requests` if too many
   * calls for this address are waiting.
   */
  run<T>(addressId: AddressId, bytes: number, work: () => Promise<T>): Promise<T>
}

/** The slots are those of one address. */
interface ReadingsDeps extends Omit<SlotsOptions, 'refusal'> {
  memory: MemoryBudget
}

/** Copies of an open message in memory: sealed, opened, a copy for the thread, its parts, and the result. */
const COPIES = 5

const refusal = (): MayflyError =>
  new MayflyError('too_many_requests', 'Too many messages of this address are being opened')

export function createReadings({ memory, ...limits }: ReadingsDeps): Readings {
  const slots = createKeyedSlots({ ...limits, refusal })

  return {
    run: (addressId, bytes, work) =>
      slots.run(addressId, async () => {
        const giveBack = await memory.lend(bytes * COPIES, { kind: 'urgent' })
        try {
          return await work()
        } finally {
          giveBack()
        }
      }),
  }
}

import { isStoreFault } from '#core/errors.ts'
import type { AddressRow, AddressStore } from '#core/mailbox/address.ts'
import { expiryOf, type Lifetimes } from '#core/mailbox/lifetime.ts'
import type { Clock } from '#core/time.ts'

export interface VisitDeps {
  store: Pick<AddressStore, 'extend'>
  clock: Clock
  lifetimes: Lifetimes
  /**
   * A visit is stored only if it extends the address by at least this many milliseconds. Saves a write for each
   * request.
   */
  visitGranularity: number
}

/** Restarts the lifetime of an address. Returns the changed row, or undefined if the address is gone. */
export async function restartLifetime(
  { store, clock, lifetimes }: VisitDeps,
  row: AddressRow,
): Promise<AddressRow | undefined> {
  const now = clock()
  const expiresAt = Math.max(row.expiresAt, expiryOf(row.lifetime, now, lifetimes))
  const extended = await store.extend(row.id, expiresAt, expiresAt + lifetimes.quarantine, now)
  return extended ? { ...row, expiresAt } : undefined
}

/**
 * Counts a visit of the owner, which restarts the lifetime of an address that expires a day after the last visit. A kept
 * address is one of these after its subscription has lapsed. Returns the row, or undefined if the address is gone.
 */
export async function extendOnVisit(deps: VisitDeps, row: AddressRow): Promise<AddressRow | undefined> {
  const isDue = expiryOf('day', deps.clock(), deps.lifetimes) - row.expiresAt >= deps.visitGranularity
  if (row.lifetime !== 'day' || !isDue) return row
  return restartLifetime(deps, row).catch((error: unknown) => {
    // A store that cannot write, for example with a full disk, does not count the visit but can still be read.
    if (isStoreFault(error)) return row
    throw error
  })
}

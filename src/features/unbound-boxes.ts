import type { Store } from '#core/ports.ts'

/** Migration 009 writes it, where there was mail before it. */
const FACT = 'unbound boxes before'

/**
 * Boxes of version 1 are opened where the message arrived, or the address was made, before this time: milliseconds since the
 * epoch, 0 where all that is stored was bound to its place from the beginning.
 */
export async function unboundBefore(store: Pick<Store, 'remember'>): Promise<number> {
  const time = Number(await store.remember(FACT, '0'))
  return Number.isSafeInteger(time) ? time : 0
}

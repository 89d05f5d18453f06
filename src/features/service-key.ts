import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Store } from '#core/ports.ts'

/**
 * Sees to it that the database belongs to this key: with another one no name would be found, and strangers could take them
 * all. The first start on a database decides. Throws one clear line.
 */
export async function ensureServiceKey(store: Pick<Store, 'remember'>, serviceKey: Uint8Array): Promise<void> {
  const print = createHmac('sha256', serviceKey).update('mayfly service key').digest('base64url')
  const kept = await store.remember('service-key', print)
  if (kept.length !== print.length || !timingSafeEqual(Buffer.from(kept), Buffer.from(print)))
    throw new Error(
      'The database belongs to another service key: set MAYFLY_SECRET_KEY to the one it was made with, the same on every node',
    )
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Store } from '#core/store.ts'

/** The database belongs to another key than the configured one. The message is one line. */
export class OtherServiceKey extends Error {
  override readonly name = 'OtherServiceKey'

  constructor(what = 'The database') {
    super(
      `${what} belongs to another service key: set MAYFLY_SECRET_KEY_FILE or MAYFLY_SECRET_KEY to the one it was made with, the same on every node`,
    )
  }
}

/** The metadata entry with the fingerprint of the key. */
export const KEY_FINGERPRINT = 'service-key'

/** The fingerprint of a service key, by which a database recognizes its own. */
export const fingerprintOf = (serviceKey: Uint8Array): string =>
  createHmac('sha256', serviceKey).update('mayfly service key').digest('base64url')

/**
 * Makes sure that the database belongs to this key. With another key no address would be found, and strangers could
 * take all names. The first start on a database decides. Throws a one-line error.
 */
export async function ensureServiceKey(store: Pick<Store, 'ensureMetadata'>, serviceKey: Uint8Array): Promise<void> {
  const print = fingerprintOf(serviceKey)
  const kept = await store.ensureMetadata(KEY_FINGERPRINT, print)
  if (kept.length !== print.length || !timingSafeEqual(Buffer.from(kept), Buffer.from(print)))
    throw new OtherServiceKey()
}

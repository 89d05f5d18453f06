import { createHmac } from 'node:crypto'
import { sameText } from '#core/same-text.ts'
import { METADATA, type Store } from '#core/store.ts'

/** The database belongs to another service key. The message is one line. */
export class OtherServiceKey extends Error {
  override readonly name = 'OtherServiceKey'

  constructor(what = 'The database') {
    super(
      `${what} belongs to another service key: set MAYFLY_SECRET_KEY_FILE or MAYFLY_SECRET_KEY to the key with which it was created, which is the same on every node`,
    )
  }
}

/** Returns the fingerprint of a service key, which a database stores to recognize its key. */
export const fingerprintOf = (serviceKey: Uint8Array): string =>
  createHmac('sha256', serviceKey).update('mayfly service key').digest('base64url')

/**
 * Ensures that the database belongs to this service key. With another key no name would be found, and anyone could take
 * the existing names. The first start with a database stores the fingerprint. Throws `OtherServiceKey`.
 */
export async function ensureServiceKey(store: Pick<Store, 'ensureMetadata'>, serviceKey: Uint8Array): Promise<void> {
  const fingerprint = fingerprintOf(serviceKey)
  const stored = await store.ensureMetadata(METADATA.serviceKey, fingerprint)
  if (!sameText(stored, fingerprint)) throw new OtherServiceKey()
}

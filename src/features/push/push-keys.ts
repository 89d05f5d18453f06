import { createECDH } from 'node:crypto'
import type { PushKeys } from '#core/push/push.ts'
import { METADATA, type Store } from '#core/store.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { createWrappedMetadata } from '#mail/sealing/wrapped-metadata.ts'

/** Returns the VAPID keys, which all nodes share. */
export type PushKeysOf = () => Promise<PushKeys>

interface PushKeysDeps {
  store: Pick<Store, 'ensureMetadata'>
  wrap: Pick<Wrap, 'wrap' | 'unwrap'>
}

const PRIVATE_KEY_BYTES = 32

function newKeys(): PushKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // Node leaves out leading zeros.
  const privateKey = Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES), pair.getPrivateKey()]).subarray(-PRIVATE_KEY_BYTES)
  return { publicKey, privateKey: privateKey.toString('base64url') }
}

/**
 * Makes the keys at the first start, and stores them in the metadata, wrapped with the service key. The first of several
 * nodes decides.
 */
export function createPushKeys(deps: PushKeysDeps): PushKeysOf {
  const stored = createWrappedMetadata(deps, {
    entry: METADATA.pushKeys,
    purpose: 'push key',
    row: METADATA.pushKeys,
    make: () => JSON.stringify(newKeys()),
  })
  return async () => JSON.parse(await stored()) as PushKeys
}

import { createECDH } from 'node:crypto'
import type { PushKeys } from '#core/push/push.ts'
import type { Store } from '#core/store.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** The metadata entry with the VAPID keys. */
const ENTRY = 'push keys'

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
export function createPushKeys({ store, wrap }: PushKeysDeps): PushKeysOf {
  let keys: Promise<PushKeys> | undefined

  async function load(): Promise<PushKeys> {
    const made = wrap.wrap('push key', JSON.stringify(newKeys()), ENTRY)
    const stored = await store.ensureMetadata(ENTRY, Buffer.from(made).toString('base64'))
    return JSON.parse(wrap.unwrap('push key', Buffer.from(stored, 'base64'), ENTRY)) as PushKeys
  }

  return async () => {
    keys ??= load().catch((error: unknown) => {
      keys = undefined
      throw error
    })
    return keys
  }
}

import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { boxKey } from './box-key.ts'
import { KEY_BYTES } from './format.ts'
import { derive, type KeyPair, publicKeyOf } from './keys.ts'

/** The HKDF-SHA256 info to derive the mask of AES keys from a private key. */
const AGREED_INFO = 'mayfly/v1 agreed'
/** About 10 MB: what 2,500 inboxes with 20 messages need. */
const MAX_MASKED = 50_000
/** Keys that a key pair keeps. When there are more, it drops all of them. */
const MAX_KEYS = 64

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** Masks an AES key (32 bytes), or removes the mask. */
function mask(key: Uint8Array, maskKey: Uint8Array, ephemeral: Uint8Array): Buffer {
  const bytes = createHmac('sha256', maskKey).update(ephemeral).digest()
  for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] ?? 0) ^ (key[i] ?? 0)
  return bytes
}

/** Masked AES keys by name. A name is the ephemeral key followed by the public key of the recipient. */
interface MaskedKeys {
  get(name: string): string | undefined
  set(name: string, key: string): unknown
}

/**
 * Returns a function that computes the AES key of a sealed box. Its arguments are the key pair of the recipient and the
 * ephemeral public key of the box (32 raw bytes). The key agreement takes 50 µs, so there are two caches:
 *
 * - Keys of one key pair, which usually lives for one request or stream. Boxes that were sealed together have the same key.
 * - Keys for later requests. They are masked with a value derived from the private key, so they can be used only with the
 *   secret of the address. Removing the mask takes 3 µs.
 */
export function createAgreedKeys(masked: MaskedKeys = new LRUCache<string, string>({ max: MAX_MASKED })) {
  const sessions = new WeakMap<KeyPair, { maskKey: Uint8Array; keys: Map<string, Uint8Array> }>()

  function sessionOf(pair: KeyPair) {
    const known = sessions.get(pair)
    if (known) return known
    const { d = '' } = pair.privateKey.export({ format: 'jwk' })
    const seed = Buffer.from(d, 'base64url')
    const maskKey = derive(seed, AGREED_INFO, KEY_BYTES)
    // Otherwise it would stay in the pool of Node's buffers.
    seed.fill(0)
    const session = { maskKey, keys: new Map<string, Uint8Array>() }
    sessions.set(pair, session)
    return session
  }

  function maskedKey(pair: KeyPair, maskKey: Uint8Array, ephemeral: Uint8Array): Uint8Array {
    const name = latin1(ephemeral) + latin1(pair.publicKey)
    const kept = masked.get(name)
    if (kept !== undefined) return mask(Buffer.from(kept, 'latin1'), maskKey, ephemeral)
    const key = boxKey(pair.privateKey, publicKeyOf(ephemeral), ephemeral, pair.publicKey)
    masked.set(name, latin1(mask(key, maskKey, ephemeral)))
    return key
  }

  return (pair: KeyPair, ephemeral: Uint8Array): Uint8Array => {
    const { maskKey, keys } = sessionOf(pair)
    const name = latin1(ephemeral)
    const known = keys.get(name)
    if (known) return known
    const key = maskedKey(pair, maskKey, ephemeral)
    if (keys.size >= MAX_KEYS) keys.clear()
    keys.set(name, key)
    return key
  }
}

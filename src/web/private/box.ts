import { Decompress } from 'fzstd'
import type { BoxPlace } from '#core/mailbox/box.ts'
import { concat, fromUtf8 } from '#mail/bytes.ts'
import {
  associatedData,
  HEADER_BYTES,
  isBox,
  KEY_BYTES,
  NONCE_BYTES,
  PACKED_RAW,
  PACKED_ZSTD,
  SEAL_INFO,
  SealError,
  VERSION,
} from '#mail/sealing/format.ts'
import type { PrivateKeys } from './keys.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Larger than any accepted message. The limit stops decompression bombs. */
const MAX_BYTES = 256 * 1024 * 1024

async function boxKey(privateKey: CryptoKey, publicKey: Bytes, salt: Bytes): Promise<CryptoKey> {
  const { subtle } = crypto
  const peer = await subtle.importKey('raw', publicKey, 'X25519', false, [])
  const shared = await subtle.deriveBits({ name: 'X25519', public: peer }, privateKey, KEY_BYTES * 8)
  const base = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info: fromUtf8(SEAL_INFO) }
  const aes = { name: 'AES-GCM', length: KEY_BYTES * 8 }
  return subtle.deriveKey(hkdf, base, aes, false, ['encrypt', 'decrypt'])
}

function decompress(packed: Uint8Array, maxBytes: number): Bytes {
  const parts: Uint8Array[] = []
  let length = 0
  const stream = new Decompress((part) => {
    length += part.length
    if (length > maxBytes) throw new RangeError('Too large')
    parts.push(part)
  })
  stream.push(packed, true)
  return concat(...parts)
}

/**
 * The plaintext of a box that was sealed to these keys for this place. Throws `SealError` for any other box. Version 1 boxes
 * are not bound to a place. The server decides where they may occur and sends them nowhere else.
 */
export async function open(
  { privateKey, publicKey }: PrivateKeys,
  place: BoxPlace,
  sealed: Bytes,
  maxBytes = MAX_BYTES,
): Promise<Bytes> {
  if (!isBox(sealed)) throw new SealError('Not a sealed box')
  const ephemeral = sealed.subarray(1, 1 + KEY_BYTES)
  const iv = sealed.subarray(1 + KEY_BYTES, HEADER_BYTES)
  const bound = sealed[0] === VERSION ? { additionalData: associatedData(place) } : {}
  try {
    const key = await boxKey(privateKey, ephemeral, concat(ephemeral, publicKey))
    const box = sealed.subarray(HEADER_BYTES)
    const plain = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, ...bound }, key, box))
    return plain[0] === PACKED_ZSTD ? decompress(plain.subarray(1), maxBytes) : plain.subarray(1)
  } catch (error) {
    throw new SealError('The box is for another key, or damaged', { cause: error })
  }
}

/** Seals a plaintext to a public key for a place. It is not compressed because the browser seals only small data. */
export async function seal(publicKey: Bytes, place: BoxPlace, plaintext: Uint8Array): Promise<Bytes> {
  const { subtle } = crypto
  const pair = (await subtle.generateKey('X25519', false, ['deriveBits'])) as CryptoKeyPair
  const ephemeral = new Uint8Array(await subtle.exportKey('raw', pair.publicKey))
  const key = await boxKey(pair.privateKey, publicKey, concat(ephemeral, publicKey))
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const aes = { name: 'AES-GCM', iv, additionalData: associatedData(place) }
  const box = await subtle.encrypt(aes, key, concat(Uint8Array.of(PACKED_RAW), plaintext))
  return concat(Uint8Array.of(VERSION), ephemeral, iv, new Uint8Array(box))
}

import { createCipheriv, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { constants, zstdCompressSync } from 'node:zlib'
import type { BoxPlace, SealItem } from '#core/mailbox/box.ts'
import { freeBytes } from '#core/memory-budget.ts'
import { ALGORITHM, boxKey } from './box-key.ts'
import {
  associatedData,
  HEADER_BYTES,
  KEY_BYTES,
  NONCE_BYTES,
  PACKED_RAW,
  PACKED_ZSTD,
  TAG_BYTES,
  UNBOUND_VERSION,
  VERSION,
} from './format.ts'
import { publicKeyOf, rawPublicKey } from './keys.ts'

/** Below this number of bytes, as in most summaries, compression is not worth its time. */
const COMPRESS_FROM = 1500
const MIN_CHUNK = 1024
const CHUNK_BYTES = 256 * 1024
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * Compresses into one chunk. By default the result would be assembled from thousands. The chunk has room for
 * incompressible bytes (`ZSTD_compressBound`), so that zstd writes into it without a buffer between.
 */
const compress = (plaintext: Uint8Array): Buffer =>
  zstdCompressSync(plaintext, { ...LEVEL, chunkSize: plaintext.length + (plaintext.length >> 8) + MIN_CHUNK })

/** A key pair that seals one group. Its private half is discarded afterwards. */
interface Ephemeral {
  privateKey: KeyObject
  publicKey: Uint8Array
}

function newEphemeral(): Ephemeral {
  const pair = generateKeyPairSync('x25519')
  return { privateKey: pair.privateKey, publicKey: rawPublicKey(pair.publicKey) }
}

interface Agreement {
  key: Buffer
  ephemeral: Uint8Array
}

const agree = ({ privateKey, publicKey }: Ephemeral, recipient: Uint8Array): Agreement => ({
  key: boxKey(privateKey, publicKeyOf(recipient), publicKey, recipient),
  ephemeral: publicKey,
})

function sealWith(
  { key, ephemeral }: Agreement,
  nonce: Uint8Array,
  { place, plaintext }: SealItem,
  version: number,
): Uint8Array {
  const compressed = plaintext.length < COMPRESS_FROM ? undefined : compress(plaintext)
  const isCompressed = compressed && compressed.length < plaintext.length
  const body = isCompressed ? compressed : plaintext
  const cipher = createCipheriv(ALGORITHM, key, nonce)
  if (version === VERSION) cipher.setAAD(associatedData(place))
  // Not a slice of the pool, because the buffer is transferred between threads.
  const sealed = Buffer.allocUnsafeSlow(HEADER_BYTES + 1 + body.length + TAG_BYTES)
  sealed[0] = version
  sealed.set(ephemeral, 1)
  sealed.set(nonce, 1 + KEY_BYTES)
  sealed.set(cipher.update(Buffer.of(isCompressed ? PACKED_ZSTD : PACKED_RAW)), HEADER_BYTES)
  // In chunks, because the cipher returns a copy of each.
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    sealed.set(cipher.update(body.subarray(at, at + CHUNK_BYTES)), HEADER_BYTES + 1 + at)
  }
  if (compressed) freeBytes(compressed)
  cipher.final()
  sealed.set(cipher.getAuthTag(), sealed.length - TAG_BYTES)
  return sealed
}

/**
 * Compresses and seals a group with one ephemeral key pair, because a key pair and an agreement cost more than the rest
 * of sealing. Each recipient has its own agreement, so its own AES key; the boxes of one recipient share it. Sharing the
 * ephemeral key is safe: the AES keys of two recipients come from different agreements, salted with the public key of
 * the recipient, and each recipient learns only its own. Nonces are random: 2^32 of them under one key would be safe
 * (NIST SP 800-38D 8.3). Before `boundFrom` (milliseconds since the epoch) boxes have version 1, which nodes of the
 * previous version can open.
 */
export function sealAll(items: readonly SealItem[], boundFrom = 0): Uint8Array[] {
  const now = Date.now()
  const ephemeral = newEphemeral()
  // One call of the random generator for all nonces.
  const nonces = randomBytes(NONCE_BYTES * items.length)
  const agreements = new Map<string, Agreement>()
  function agreementWith(recipient: Uint8Array): Agreement {
    const name = Buffer.from(recipient).toString('latin1')
    const agreement = agreements.get(name) ?? agree(ephemeral, recipient)
    agreements.set(name, agreement)
    return agreement
  }
  try {
    return items.map((item, i) => {
      const unbound = now < boundFrom && item.place.at < boundFrom
      const nonce = nonces.subarray(i * NONCE_BYTES, (i + 1) * NONCE_BYTES)
      return sealWith(agreementWith(item.publicKey), nonce, item, unbound ? UNBOUND_VERSION : VERSION)
    })
  } finally {
    for (const { key } of agreements.values()) key.fill(0)
  }
}

/** Compresses and seals one plaintext. */
export type Seal = (publicKey: Uint8Array, place: BoxPlace, plaintext: Uint8Array) => Uint8Array

/** For `boundFrom` see `sealAll`. */
export const createSeal =
  (boundFrom = 0): Seal =>
  (publicKey, place, plaintext) =>
    sealAll([{ publicKey, place, plaintext }], boundFrom)[0] as Uint8Array

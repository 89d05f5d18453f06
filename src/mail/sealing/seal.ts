import { createCipheriv, generateKeyPairSync, randomBytes } from 'node:crypto'
import { constants, zstdCompressSync } from 'node:zlib'
import { freeBytes } from '#core/free-bytes.ts'
import { ALGORITHM, boxKey } from './box-key.ts'
import { HEADER_BYTES, KEY_BYTES, NONCE_BYTES, PACKED_RAW, PACKED_ZSTD, TAG_BYTES, VERSION } from './format.ts'
import { publicKeyOf, rawPublicKey } from './keys.ts'

/** Compresses and seals a plaintext so that only the holder of the private key can open it. `publicKey` is 32 raw bytes. */
export type Seal = (publicKey: Uint8Array, plaintext: Uint8Array) => Uint8Array

export interface SealOptions {
  /** One ephemeral key serves a recipient for so many milliseconds and so many boxes. */
  keyLifetime?: number
  keyUses?: number
  /** Recipients whose ephemeral keys are kept at one time. */
  keysKept?: number
}

/** Below this many bytes compression gains nothing worth its time. */
const COMPRESS_FROM = 200
const MIN_CHUNK = 1024
const PIECE = 256 * 1024
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** In one piece: by default the result is put together of thousands. */
const compress = (plaintext: Uint8Array): Buffer =>
  zstdCompressSync(plaintext, { ...LEVEL, chunkSize: Math.max(MIN_CHUNK, plaintext.length) })

interface Box {
  key: Buffer
  ephemeral: Uint8Array
  uses: number
  madeAt: number
}

/**
 * Answers a `Seal` with its own cache of ephemeral keys: an X25519 agreement costs more than sealing a mail, so one key
 * serves a recipient for a while. Nonces are random: 2^32 of them under one key would be safe (NIST SP 800-38D 8.3).
 */
export function createSeal({ keyLifetime = 600_000, keyUses = 10_000, keysKept = 10_000 }: SealOptions = {}): Seal {
  const boxes = new Map<string, Box>()

  /** Keys that are too old or too many go, oldest first: the map keeps them in the order they were made. */
  function forget(): void {
    for (const [name, { madeAt }] of boxes) {
      if (boxes.size <= keysKept && performance.now() - madeAt < keyLifetime) return
      boxes.delete(name)
    }
  }

  function boxFor(recipient: Uint8Array): Box {
    const name = Buffer.from(recipient).toString('latin1')
    const known = boxes.get(name)
    if (known && known.uses < keyUses && performance.now() - known.madeAt < keyLifetime) return known
    const pair = generateKeyPairSync('x25519')
    const ephemeral = rawPublicKey(pair.publicKey)
    const key = boxKey(pair.privateKey, publicKeyOf(recipient), ephemeral, recipient)
    const box = { key, ephemeral, uses: 0, madeAt: performance.now() }
    boxes.delete(name)
    boxes.set(name, box)
    forget()
    return box
  }

  return (publicKey, plaintext) => {
    const box = boxFor(publicKey)
    box.uses++
    const compressed = plaintext.length < COMPRESS_FROM ? undefined : compress(plaintext)
    const packed = compressed && compressed.length < plaintext.length
    const body = packed ? compressed : plaintext
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, box.key, nonce)
    // Memory of its own, not a slice of the pool: it is handed over between threads.
    const sealed = Buffer.allocUnsafeSlow(HEADER_BYTES + 1 + body.length + TAG_BYTES)
    sealed[0] = VERSION
    sealed.set(box.ephemeral, 1)
    sealed.set(nonce, 1 + KEY_BYTES)
    sealed.set(cipher.update(Buffer.of(packed ? PACKED_ZSTD : PACKED_RAW)), HEADER_BYTES)
    // In pieces, since each is a copy until it is in its place.
    for (let at = 0; at < body.length; at += PIECE) {
      sealed.set(cipher.update(body.subarray(at, at + PIECE)), HEADER_BYTES + 1 + at)
    }
    if (compressed) freeBytes(compressed)
    cipher.final()
    sealed.set(cipher.getAuthTag(), sealed.length - TAG_BYTES)
    return sealed
  }
}

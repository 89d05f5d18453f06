import { createDecipheriv } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { ALGORITHM, boxKey } from './box-key.ts'
import { HEADER_BYTES, isBox, KEY_BYTES, PACKED_RAW, PACKED_ZSTD, SealError, TAG_BYTES } from './format.ts'
import { type AddressKeys, type KeyPair, publicKeyOf } from './keys.ts'

export { SealError } from './format.ts'

export interface OpenOptions {
  /** A compressed plaintext that is larger does not open: keeps a hostile box from filling the memory. */
  maxBytes?: number
}

type Keys = KeyPair & Pick<AddressKeys, 'earlier'>

/** What a box holds: how it is packed, and the packed plaintext. */
interface Opened {
  packing: number
  body: Buffer
}

/** A piece of what is unpacked: few make a large mail, and a small one is not much larger. */
const CHUNK_BYTES = 256 * 1024
const MAX_BYTES = 256 * 1024 * 1024
const unpack = promisify(zstdDecompress)

function decryptWith(keys: KeyPair, sealed: Uint8Array): Opened {
  if (!isBox(sealed)) throw new SealError('Not a sealed box')
  const ephemeral = sealed.subarray(1, 1 + KEY_BYTES)
  const nonce = sealed.subarray(1 + KEY_BYTES, HEADER_BYTES)
  const key = boxKey(keys.privateKey, publicKeyOf(ephemeral), ephemeral, keys.publicKey)
  const decipher = createDecipheriv(ALGORITHM, key, nonce)
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  const [packing] = decipher.update(sealed.subarray(HEADER_BYTES, HEADER_BYTES + 1))
  // With the key of another pair that is nearly always something else: a large box need not be deciphered to learn it.
  if (packing !== PACKED_RAW && packing !== PACKED_ZSTD) throw new SealError('Not a packing')
  const body = decipher.update(sealed.subarray(HEADER_BYTES + 1, sealed.length - TAG_BYTES))
  decipher.final()
  return { packing, body }
}

/** Opens a box that was sealed to these keys, or to earlier ones of the address. */
function decrypt(keys: Keys, sealed: Uint8Array): Opened {
  const { earlier = [] } = keys
  try {
    return decryptWith(keys, sealed)
  } catch (error) {
    for (const [i, pair] of earlier.entries()) {
      const opened = tryDecrypt(pair, sealed)
      if (!opened) continue
      // Mails of one time lie side by side: the next one is tried with the same pair first.
      earlier.unshift(...earlier.splice(i, 1))
      return opened
    }
    throw error
  }
}

function tryDecrypt(pair: KeyPair, sealed: Uint8Array): Opened | undefined {
  try {
    return decryptWith(pair, sealed)
  } catch {
    return undefined
  }
}

const notOpened = (cause: unknown): SealError =>
  cause instanceof SealError ? cause : new SealError('The box is for another key, or damaged', { cause })

/** The plaintext of a box that was sealed to these keys, or to earlier ones of the address. Throws `SealError` for every other box. */
export function open(keys: Keys, sealed: Uint8Array, { maxBytes = MAX_BYTES }: OpenOptions = {}): Uint8Array {
  try {
    const { packing, body } = decrypt(keys, sealed)
    return packing === PACKED_ZSTD ? zstdDecompressSync(body, { maxOutputLength: maxBytes }) : body
  } catch (error) {
    throw notOpened(error)
  }
}

/** As `open`, for large boxes: what is compressed is unpacked beside the calling thread. */
export async function openLarge(
  keys: Keys,
  sealed: Uint8Array,
  { maxBytes = MAX_BYTES }: OpenOptions = {},
): Promise<Uint8Array> {
  try {
    const { packing, body } = decrypt(keys, sealed)
    return packing === PACKED_ZSTD ? await unpack(body, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES }) : body
  } catch (error) {
    throw notOpened(error)
  }
}

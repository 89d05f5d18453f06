import { createDecipheriv } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { ALGORITHM, boxKey } from './box-key.ts'
import { HEADER_BYTES, isBox, KEY_BYTES, PACKED_RAW, PACKED_ZSTD, SealError, TAG_BYTES } from './format.ts'
import { type AddressKeys, type KeyPair, publicKeyOf } from './keys.ts'

export { SealError } from './format.ts'

export interface OpenOptions {
  /** A compressed plaintext that is larger does not open: keeps a hostile box from filling the memory. */
  maxBytes?: number
}

/** The plaintext of a box that was sealed to these keys, or to earlier ones of the address. Throws `SealError` for every other box. */
export function open(
  keys: KeyPair & Pick<AddressKeys, 'earlier'>,
  sealed: Uint8Array,
  options: OpenOptions = {},
): Uint8Array {
  const { earlier = [] } = keys
  try {
    return openWith(keys, sealed, options)
  } catch (error) {
    for (const [i, pair] of earlier.entries()) {
      const plaintext = tryOpen(pair, sealed, options)
      if (!plaintext) continue
      // Mails of one time lie side by side: the next one is tried with the same pair first.
      earlier.unshift(...earlier.splice(i, 1))
      return plaintext
    }
    throw error
  }
}

function tryOpen(pair: KeyPair, sealed: Uint8Array, options: OpenOptions): Uint8Array | undefined {
  try {
    return openWith(pair, sealed, options)
  } catch {
    return undefined
  }
}

function openWith(keys: KeyPair, sealed: Uint8Array, { maxBytes = 256 * 1024 * 1024 }: OpenOptions): Uint8Array {
  if (!isBox(sealed)) throw new SealError('Not a sealed box')
  const ephemeral = sealed.subarray(1, 1 + KEY_BYTES)
  const nonce = sealed.subarray(1 + KEY_BYTES, HEADER_BYTES)
  try {
    const key = boxKey(keys.privateKey, publicKeyOf(ephemeral), ephemeral, keys.publicKey)
    const decipher = createDecipheriv(ALGORITHM, key, nonce)
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
    const [packing] = decipher.update(sealed.subarray(HEADER_BYTES, HEADER_BYTES + 1))
    // With the key of another pair that is nearly always something else: a large box need not be deciphered to learn it.
    if (packing !== PACKED_RAW && packing !== PACKED_ZSTD) throw new SealError('Not a packing')
    const body = decipher.update(sealed.subarray(HEADER_BYTES + 1, sealed.length - TAG_BYTES))
    decipher.final()
    return packing === PACKED_ZSTD ? zstdDecompressSync(body, { maxOutputLength: maxBytes }) : body
  } catch (error) {
    throw new SealError('The box is for another key, or damaged', { cause: error })
  }
}

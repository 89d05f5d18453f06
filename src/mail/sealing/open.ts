import { createDecipheriv } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { ALGORITHM, boxKey } from './box-key.ts'
import { HEADER_BYTES, isBox, KEY_BYTES, PACKED_ZSTD, SealError, TAG_BYTES } from './format.ts'
import { type AddressKeys, publicKeyOf } from './keys.ts'

export { SealError } from './format.ts'

export interface OpenOptions {
  /** A compressed plaintext that is larger does not open: keeps a hostile box from filling the memory. */
  maxBytes?: number
}

/** The plaintext of a box that was sealed to these keys. Throws `SealError` for every other box. */
export function open(
  keys: Pick<AddressKeys, 'privateKey' | 'publicKey'>,
  sealed: Uint8Array,
  { maxBytes = 256 * 1024 * 1024 }: OpenOptions = {},
): Uint8Array {
  if (!isBox(sealed)) throw new SealError('Not a sealed box')
  const ephemeral = sealed.subarray(1, 1 + KEY_BYTES)
  const nonce = sealed.subarray(1 + KEY_BYTES, HEADER_BYTES)
  try {
    const key = boxKey(keys.privateKey, publicKeyOf(ephemeral), ephemeral, keys.publicKey)
    const decipher = createDecipheriv(ALGORITHM, key, nonce)
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
    const plain = decipher.update(sealed.subarray(HEADER_BYTES, sealed.length - TAG_BYTES))
    decipher.final()
    const body = plain.subarray(1)
    return plain[0] === PACKED_ZSTD ? zstdDecompressSync(body, { maxOutputLength: maxBytes }) : body
  } catch (error) {
    throw new SealError('The box is for another key, or damaged', { cause: error })
  }
}

import { createDecipheriv } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { BoxPlace } from '#core/mailbox/box.ts'
import { ALGORITHM, boxKey } from './box-key.ts'
import {
  associatedData,
  HEADER_BYTES,
  isBox,
  KEY_BYTES,
  PACKED_RAW,
  PACKED_ZSTD,
  SealError,
  TAG_BYTES,
  VERSION,
} from './format.ts'
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

function decryptWith(keys: KeyPair, place: BoxPlace, sealed: Uint8Array): Opened {
  const ephemeral = sealed.subarray(1, 1 + KEY_BYTES)
  const nonce = sealed.subarray(1 + KEY_BYTES, HEADER_BYTES)
  const key = boxKey(keys.privateKey, publicKeyOf(ephemeral), ephemeral, keys.publicKey)
  const decipher = createDecipheriv(ALGORITHM, key, nonce)
  if (sealed[0] === VERSION) decipher.setAAD(associatedData(place))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  const [packing] = decipher.update(sealed.subarray(HEADER_BYTES, HEADER_BYTES + 1))
  // With the key of another pair that is nearly always something else: a large box need not be deciphered to learn it.
  if (packing !== PACKED_RAW && packing !== PACKED_ZSTD) throw new SealError('Not a packing')
  const body = decipher.update(sealed.subarray(HEADER_BYTES + 1, sealed.length - TAG_BYTES))
  decipher.final()
  return { packing, body }
}

/** Opens a box that was sealed to these keys, or to earlier ones of the address. */
function decrypt(keys: Keys, place: BoxPlace, sealed: Uint8Array): Opened {
  const { earlier = [] } = keys
  try {
    return decryptWith(keys, place, sealed)
  } catch (error) {
    for (const [i, pair] of earlier.entries()) {
      const opened = tryDecrypt(pair, place, sealed)
      if (!opened) continue
      // Mails of one time lie side by side: the next one is tried with the same pair first.
      earlier.unshift(...earlier.splice(i, 1))
      return opened
    }
    throw error
  }
}

function tryDecrypt(pair: KeyPair, place: BoxPlace, sealed: Uint8Array): Opened | undefined {
  try {
    return decryptWith(pair, place, sealed)
  } catch {
    return undefined
  }
}

const notOpened = (cause: unknown): SealError =>
  cause instanceof SealError ? cause : new SealError('The box is for another key or place, or damaged', { cause })

/** Opens boxes at the place for which they were sealed. */
export interface Opener {
  /**
   * The plaintext of a box that was sealed to these keys, or to earlier ones of the address, for this place. Throws
   * `SealError` for every other box.
   */
  open(keys: Keys, place: BoxPlace, sealed: Uint8Array, options?: OpenOptions): Uint8Array
  /** As `open`, for large boxes: what is compressed is unpacked beside the calling thread. */
  openLarge(keys: Keys, place: BoxPlace, sealed: Uint8Array, options?: OpenOptions): Promise<Uint8Array>
  /** Whether a box may lie at this place as far as can be told without its key. */
  mayLieAt(place: BoxPlace, sealed: Uint8Array): boolean
}

/**
 * `boundFrom`: boxes of version 1, which name no place, open where the message arrived, or the address was made, before
 * this time (milliseconds since the epoch).
 */
export function createOpener(boundFrom: number): Opener {
  const mayLieAt = ({ at }: BoxPlace, sealed: Uint8Array): boolean =>
    isBox(sealed) && (sealed[0] === VERSION || at < boundFrom)

  function opened(keys: Keys, place: BoxPlace, sealed: Uint8Array): Opened {
    if (!mayLieAt(place, sealed)) throw new SealError('No box that may lie here')
    return decrypt(keys, place, sealed)
  }

  return {
    mayLieAt,

    open(keys, place, sealed, { maxBytes = MAX_BYTES } = {}) {
      try {
        const { packing, body } = opened(keys, place, sealed)
        return packing === PACKED_ZSTD ? zstdDecompressSync(body, { maxOutputLength: maxBytes }) : body
      } catch (error) {
        throw notOpened(error)
      }
    },

    async openLarge(keys, place, sealed, { maxBytes = MAX_BYTES } = {}) {
      try {
        const { packing, body } = opened(keys, place, sealed)
        return packing === PACKED_ZSTD
          ? await unpack(body, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES })
          : body
      } catch (error) {
        throw notOpened(error)
      }
    },
  }
}

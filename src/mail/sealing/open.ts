import { createDecipheriv } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { BoxPlace } from '#core/mailbox/box.ts'
import { createAgreedKeys } from './agreed-keys.ts'
import { ALGORITHM } from './box-key.ts'
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
import type { AddressKeys, KeyPair } from './keys.ts'

export { SealError } from './format.ts'

interface OpenOptions {
  /** The largest compressed plaintext that is opened, so that a hostile box cannot fill the memory. */
  maxBytes?: number
}

type Keys = KeyPair & Pick<AddressKeys, 'earlier'>

/** The content of a box: the packing and the packed plaintext. */
interface Opened {
  packing: number
  body: Buffer
}

/** Bytes per chunk of decompressed output. A large message has few chunks, and a small one wastes little memory. */
const CHUNK_BYTES = 256 * 1024
const MAX_BYTES = 256 * 1024 * 1024
const unpack = promisify(zstdDecompress)

const agreedKey = createAgreedKeys()

function decryptWith(keys: KeyPair, place: BoxPlace, sealed: Uint8Array): Opened {
  const ephemeral = sealed.subarray(1, 1 + KEY_BYTES)
  const nonce = sealed.subarray(1 + KEY_BYTES, HEADER_BYTES)
  const decipher = createDecipheriv(ALGORITHM, agreedKey(keys, ephemeral), nonce)
  if (sealed[0] === VERSION) decipher.setAAD(associatedData(place))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  const [packing] = decipher.update(sealed.subarray(HEADER_BYTES, HEADER_BYTES + 1))
  // With a wrong key this byte is nearly always invalid, so a large box need not be decrypted completely to find out.
  if (packing !== PACKED_RAW && packing !== PACKED_ZSTD) throw new SealError('Unknown packing')
  const body = decipher.update(sealed.subarray(HEADER_BYTES + 1, sealed.length - TAG_BYTES))
  decipher.final()
  return { packing, body }
}

/** Decrypts a box that was sealed to the current or earlier keys of the address. */
function decrypt(keys: Keys, place: BoxPlace, sealed: Uint8Array): Opened {
  const { earlier = [] } = keys
  try {
    return decryptWith(keys, place, sealed)
  } catch (error) {
    for (const [i, pair] of earlier.entries()) {
      const opened = tryDecrypt(pair, place, sealed)
      if (!opened) continue
      // Adjacent messages are of the same time, so the next box is tried with the same pair first.
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

const toSealError = (cause: unknown): SealError =>
  cause instanceof SealError ? cause : new SealError('The box is for another key or place, or damaged', { cause })

/** Opens boxes at the places for which they were sealed. */
export interface Opener {
  /**
   * Returns the plaintext of a box that was sealed to the current or earlier keys of the address and for this place.
   * Throws `SealError` for any other box.
   */
  open(keys: Keys, place: BoxPlace, sealed: Uint8Array, options?: OpenOptions): Uint8Array
  /** Like `open`, for large boxes. Decompresses outside the calling thread. Rejects with `SealError`. */
  openLarge(keys: Keys, place: BoxPlace, sealed: Uint8Array, options?: OpenOptions): Promise<Uint8Array>
  /** Whether a box may be at this place, as far as can be checked without its key. */
  mayBelongTo(place: BoxPlace, sealed: Uint8Array): boolean
}

/**
 * Creates an opener. Boxes of version 1, which are not bound to a place, open only if the message arrived or the
 * address was created before `boundFrom` (milliseconds since the epoch).
 */
export function createOpener(boundFrom: number): Opener {
  const mayBelongTo = ({ at }: BoxPlace, sealed: Uint8Array): boolean =>
    isBox(sealed) && (sealed[0] === VERSION || at < boundFrom)

  function decryptAt(keys: Keys, place: BoxPlace, sealed: Uint8Array): Opened {
    if (!mayBelongTo(place, sealed)) throw new SealError('Not a box that may be at this place')
    return decrypt(keys, place, sealed)
  }

  return {
    mayBelongTo,

    open(keys, place, sealed, { maxBytes = MAX_BYTES } = {}) {
      try {
        const { packing, body } = decryptAt(keys, place, sealed)
        return packing === PACKED_ZSTD ? zstdDecompressSync(body, { maxOutputLength: maxBytes }) : body
      } catch (error) {
        throw toSealError(error)
      }
    },

    async openLarge(keys, place, sealed, { maxBytes = MAX_BYTES } = {}) {
      try {
        const { packing, body } = decryptAt(keys, place, sealed)
        return packing === PACKED_ZSTD
          ? await unpack(body, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES })
          : body
      } catch (error) {
        throw toSealError(error)
      }
    },
  }
}

import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { AddressRow } from '#core/mailbox/address.ts'
import { KEY_BYTES, PKCS8_PREFIX, SealError } from './format.ts'
import { ifIntact } from './if-intact.ts'
import { type AddressKeys, type KeyPair, rawPublicKey } from './keys.ts'
import type { Opener } from './open.ts'
import { addressPlace } from './place.ts'
import type { Seal } from './seal.ts'

/** The address that the key ring belongs to. */
type Owner = Pick<AddressRow, 'id' | 'createdAt'>

/** A key pair that an address had before its secret was replaced. */
interface RetiredKey {
  privateKey: KeyObject
  /** Milliseconds since the epoch. */
  retiredAt: number
}

/** An entry consists of `retiredAt` (float64, big endian) and the 32 raw bytes of the private key. */
const TIME_BYTES = 8
const ENTRY_BYTES = TIME_BYTES + KEY_BYTES

/** Seals the retired keys of an address, newest first, to its current public key. */
export function sealRing(seal: Seal, publicKey: Uint8Array, owner: Owner, ring: readonly RetiredKey[]): Uint8Array {
  const plaintext = Buffer.alloc(ring.length * ENTRY_BYTES)
  for (const [i, { privateKey, retiredAt }] of ring.entries()) {
    plaintext.writeDoubleBE(retiredAt, i * ENTRY_BYTES)
    const der = privateKey.export({ format: 'der', type: 'pkcs8' })
    plaintext.set(der.subarray(PKCS8_PREFIX.length), i * ENTRY_BYTES + TIME_BYTES)
  }
  return seal(publicKey, addressPlace('earlier keys', owner), plaintext)
}

/**
 * Opens the key ring. Returns an empty array if `sealed` is null. Throws `SealError` if `keys` are not the current
 * ones.
 */
export function openRing(
  { open }: Pick<Opener, 'open'>,
  keys: KeyPair,
  owner: Owner,
  sealed: Uint8Array | null,
): RetiredKey[] {
  if (!sealed) return []
  const plaintext = Buffer.from(open(keys, addressPlace('earlier keys', owner), sealed))
  if (plaintext.length % ENTRY_BYTES !== 0) throw new SealError('Not a key ring')
  return Array.from({ length: plaintext.length / ENTRY_BYTES }, (_, i) => {
    const at = i * ENTRY_BYTES
    const raw = plaintext.subarray(at + TIME_BYTES, at + ENTRY_BYTES)
    return {
      retiredAt: plaintext.readDoubleBE(at),
      privateKey: createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, raw]), format: 'der', type: 'pkcs8' }),
    }
  })
}

/** Like `openRing`, but returns no keys for a damaged ring, so that the address still opens and can get another secret. */
export const openRingIfIntact = (...ring: Parameters<typeof openRing>): RetiredKey[] =>
  ifIntact(() => openRing(...ring)) ?? []

/** Returns keys that also open boxes that were sealed before the secret of the address was replaced. */
export function withRing(
  opener: Pick<Opener, 'open'>,
  keys: AddressKeys,
  owner: Owner,
  sealed: Uint8Array | null,
): AddressKeys {
  const ring = openRingIfIntact(opener, keys, owner, sealed)
  const earlier = ring.map(({ privateKey }) => ({ privateKey, publicKey: rawPublicKey(privateKey) }))
  return { ...keys, id: owner.id, earlier }
}

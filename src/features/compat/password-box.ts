import { createHmac, randomBytes } from 'node:crypto'
import type { PasswordRow } from '#core/compat/password.ts'
import type { AddressId } from '#core/ids.ts'
import { derive } from '#mail/sealing/keys.ts'
import { decrypt, encrypt } from './aead.ts'
import type { StretchKey } from './key-stretching.ts'

const VERSION = 1
const SALT_BYTES = 16
const HEAD_BYTES = 1 + SALT_BYTES
const KEY_BYTES = 32

/** A key derived from a password. */
interface PasswordKey {
  seal(addressId: AddressId, secret: string): Uint8Array
}

export interface PasswordBoxes {
  /** Derives a key with a new salt. Takes long. */
  newKey(password: string): Promise<PasswordKey>
  /** Returns the secret, or undefined if the password is wrong. Takes just as long if there is no row. */
  open(password: string, row: PasswordRow | undefined): Promise<string | undefined>
}

/**
 * Seals secrets under passwords: a version byte, the salt (16 bytes), and the secret, encrypted with AES-256-GCM. The
 * key is HMAC-SHA256 of the stretched password with a key derived from the service key. Passwords therefore cannot be
 * guessed from the database alone. The address is authenticated.
 */
export function createPasswordBoxes(serviceKey: Uint8Array, stretch: StretchKey): PasswordBoxes {
  const pepper = derive(serviceKey, 'passwords', KEY_BYTES)
  const associated = (head: Uint8Array, addressId: AddressId): Buffer => Buffer.concat([head, Buffer.from(addressId)])

  async function keyOf(password: string, head: Uint8Array): Promise<Buffer> {
    const stretched = await stretch(password, head.subarray(1))
    return createHmac('sha256', pepper).update(stretched).digest()
  }

  return {
    async newKey(password) {
      const head = Buffer.concat([Buffer.of(VERSION), randomBytes(SALT_BYTES)])
      const key = await keyOf(password, head)
      return {
        seal: (addressId, secret) => Buffer.concat([head, encrypt(key, secret, associated(head, addressId))]),
      }
    },

    async open(password, row) {
      const sealed = row?.sealedSecret ?? Buffer.alloc(HEAD_BYTES)
      const head = sealed.subarray(0, HEAD_BYTES)
      const key = await keyOf(password, head)
      return decrypt(key, sealed.subarray(HEAD_BYTES), associated(head, row?.addressId ?? ''))
    },
  }
}

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { lengthPrefixed } from '../bytes.ts'
import { ALGORITHM } from './box-key.ts'
import { KEY_BYTES, NONCE_BYTES, SealError, TAG_BYTES, UNBOUND_VERSION, VERSION } from './format.ts'
import { derive } from './keys.ts'

/** The purpose of a value. A value that was wrapped for another purpose does not open. */
export type WrapPurpose =
  | 'email'
  | 'address'
  | 'address label'
  | 'faults'
  | 'address secret'
  | 'address pass'
  | 'session label'
  | 'session token'
  | 'session cause'
  | 'sign-in code'
  | 'letter'
  | 'domain'
  | 'priority'
  | 'key label'
  | 'webhook'
  | 'webhook url'
  | 'webhook secret'
  | 'signing key'
  | 'forwarding destination'
  | 'push'
  | 'push key'

/** Wraps values that the service itself must be able to read, with a key derived from the service key. */
export interface Wrap {
  /** `row`: the name of the row that the value belongs to. Without it, the value is bound to its purpose alone. */
  wrap(purpose: WrapPurpose, text: string, row?: string): Uint8Array
  /**
   * Throws `SealError` for a value that was not wrapped with this key for this purpose and row. A value of version 1,
   * which is not bound to its row, opens in any row until `refuseUnbound` is called.
   */
  unwrap(purpose: WrapPurpose, wrapped: Uint8Array, row?: string): string
  /** Like `unwrap`, for lists: returns an empty text for a damaged value, and logs each damaged row once. */
  unwrapOrEmpty(purpose: WrapPurpose, wrapped: Uint8Array, row?: string): string
  /**
   * From this call on, `unwrap` throws for values that are not bound to their rows, and `wrap` binds every value. All
   * stored values must be bound before.
   */
  refuseUnbound(): void
  /** Returns a keyed hash, 22 characters. It reveals nothing without the service key. */
  hash(purpose: WrapPurpose, text: string): string
}

const HASH_BYTES = 16

/** In version 1 the purpose; in version 2 the version byte, then purpose and row, each after a byte with its length. */
const associatedData = (version: number, purpose: WrapPurpose, row: string): Uint8Array =>
  version === UNBOUND_VERSION ? Buffer.from(purpose) : Buffer.concat([Buffer.of(version), lengthPrefixed(purpose, row)])

/**
 * `version (1) | nonce (12) | AES-256-GCM ciphertext | tag (16)`. Until `boundFrom` (milliseconds since the epoch)
 * values are not bound to their rows, so that nodes of the previous version can read them. `onDamaged` is called once
 * for each damaged row that `unwrapOrEmpty` finds.
 */
export function createWrap(
  serviceKey: Uint8Array,
  boundFrom = 0,
  onDamaged: (purpose: WrapPurpose, error: SealError) => void = () => {},
): Wrap {
  const key = derive(serviceKey, 'wrap', KEY_BYTES)
  const hashKey = derive(serviceKey, 'wrap hash', KEY_BYTES)
  const damaged = new Set<string>()
  let acceptsUnbound = true

  function unwrap(purpose: WrapPurpose, wrapped: Uint8Array, row = ''): string {
    const version = wrapped[0] ?? 0
    const nonce = wrapped.subarray(1, 1 + NONCE_BYTES)
    const tag = wrapped.subarray(-TAG_BYTES)
    try {
      if (version !== VERSION && version !== UNBOUND_VERSION) throw new Error('Unknown version')
      if (version === UNBOUND_VERSION && row !== '' && !acceptsUnbound) throw new Error('Not bound to a row')
      const data = associatedData(version, purpose, row)
      const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(data).setAuthTag(tag)
      const text = decipher.update(wrapped.subarray(1 + NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString()
    } catch (error) {
      throw new SealError('Not wrapped with this key for this purpose and row', { cause: error })
    }
  }

  return {
    wrap(purpose, text, row) {
      const isBound = row !== undefined && (!acceptsUnbound || Date.now() >= boundFrom)
      const version = isBound ? VERSION : UNBOUND_VERSION
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(associatedData(version, purpose, row ?? ''))
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([Buffer.of(version), nonce, ...sealed, cipher.getAuthTag()])
    },
    unwrap,
    unwrapOrEmpty(purpose, wrapped, row) {
      try {
        return unwrap(purpose, wrapped, row)
      } catch (error) {
        if (!(error instanceof SealError)) throw error
        const name = `${purpose} ${row}`
        if (!damaged.has(name)) onDamaged(purpose, error)
        damaged.add(name)
        return ''
      }
    },
    refuseUnbound() {
      acceptsUnbound = false
    },
    hash: (purpose, text) =>
      createHmac('sha256', hashKey)
        .update(`${purpose}\0${text}`)
        .digest()
        .subarray(0, HASH_BYTES)
        .toString('base64url'),
  }
}

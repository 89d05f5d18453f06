import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { ALGORITHM } from './box-key.ts'
import { KEY_BYTES, NONCE_BYTES, SealError, TAG_BYTES, VERSION } from './format.ts'
import { derive } from './keys.ts'

/** What a value is for: one that was wrapped for something else does not open. */
export type WrapPurpose =
  | 'email'
  | 'address'
  | 'address label'
  | 'address secret'
  | 'address pass'
  | 'session label'
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

/** Wraps what the service itself must be able to read again with a key that follows from the service's key. */
export interface Wrap {
  wrap(purpose: WrapPurpose, text: string): Uint8Array
  /** Throws `SealError` for what was not wrapped with this key for this purpose. */
  unwrap(purpose: WrapPurpose, wrapped: Uint8Array): string
  /** A keyed hash, 22 characters: worth nothing without the service's key. */
  hash(purpose: WrapPurpose, text: string): string
}

const HASH_BYTES = 16

/** `version (1) | nonce (12) | AES-256-GCM ciphertext | tag (16)`, the purpose as associated data. */
export function createWrap(serviceKey: Uint8Array): Wrap {
  const key = derive(serviceKey, 'wrap', KEY_BYTES)
  const hashKey = derive(serviceKey, 'wrap hash', KEY_BYTES)
  return {
    wrap(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose))
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([Buffer.of(VERSION), nonce, ...sealed, cipher.getAuthTag()])
    },
    unwrap(purpose, wrapped) {
      const nonce = wrapped.subarray(1, 1 + NONCE_BYTES)
      const tag = wrapped.subarray(-TAG_BYTES)
      try {
        if (wrapped[0] !== VERSION) throw new Error('Unknown version')
        const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag)
        const text = decipher.update(wrapped.subarray(1 + NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString()
      } catch (error) {
        throw new SealError('Not wrapped with this key for this purpose', { cause: error })
      }
    },
    hash: (purpose, text) =>
      createHmac('sha256', hashKey)
        .update(`${purpose}\0${text}`)
        .digest()
        .subarray(0, HASH_BYTES)
        .toString('base64url'),
  }
}

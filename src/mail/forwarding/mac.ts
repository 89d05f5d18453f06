import { createHmac } from 'node:crypto'
import { sameText } from '#core/same-text.ts'
import { KEY_BYTES } from '../sealing/format.ts'
import { derive } from '../sealing/keys.ts'

/** Keyed hashes of texts for one purpose. They reveal nothing about the hashes of another purpose. */
interface Mac {
  of(text: string): string
  /** Whether `given` is the hash of `text`, compared in constant time. */
  verify(text: string, given: string): boolean
}

/** HMAC-SHA256 with a key derived from the service key and `purpose`, truncated to `bytes` and encoded by `encode`. */
export function createMac(
  serviceKey: Uint8Array,
  purpose: string,
  bytes: number,
  encode: (digest: Buffer) => string = (digest) => digest.toString('base64url'),
): Mac {
  const key = derive(serviceKey, purpose, KEY_BYTES)
  const of = (text: string): string => encode(createHmac('sha256', key).update(text).digest().subarray(0, bytes))
  return {
    of,
    verify: (text, given) => sameText(given, of(text)),
  }
}

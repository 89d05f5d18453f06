import { createHmac, timingSafeEqual } from 'node:crypto'
import { KEY_BYTES } from '../sealing/format.ts'
import { derive } from '../sealing/keys.ts'

/** Keyed hashes of texts for one purpose; none says anything about another purpose's. */
export interface Mac {
  of(text: string): string
  /** Whether `given` is the hash of `text`; takes as long for a near miss as for any other. */
  verify(text: string, given: string): boolean
}

/** HMAC-SHA256 with a key that follows from the service's key and `purpose`, cut to `bytes` and written as `write` says. */
export function createMac(
  serviceKey: Uint8Array,
  purpose: string,
  bytes: number,
  write: (digest: Buffer) => string = (digest) => digest.toString('base64url'),
): Mac {
  const key = derive(serviceKey, purpose, KEY_BYTES)
  const of = (text: string): string => write(createHmac('sha256', key).update(text).digest().subarray(0, bytes))
  return {
    of,
    verify(text, given) {
      const expected = Buffer.from(of(text))
      const offered = Buffer.from(given)
      return offered.length === expected.length && timingSafeEqual(offered, expected)
    },
  }
}

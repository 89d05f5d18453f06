import { createHmac, timingSafeEqual } from 'node:crypto'
import { MayflyError } from '#core/errors.ts'

export const hmac = (key: Uint8Array | string, bytes: Uint8Array | string): string =>
  createHmac('sha256', key).update(bytes).digest('hex')

/** Compared in constant time: how far a guess is right can't be measured. */
export function sameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const signatureInvalid = (): MayflyError => new MayflyError('signature_invalid')

import { createHmac, timingSafeEqual } from 'node:crypto'
import { MayflyError } from '#core/errors.ts'

export const hmac = (key: Uint8Array | string, bytes: Uint8Array | string): string =>
  createHmac('sha256', key).update(bytes).digest('hex')

/** Compared in constant time, so that the length of a correct prefix can't be measured. */
export function sameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const signatureInvalid = (): MayflyError => new MayflyError('signature_invalid')

/** For a signed body that is not what its sender sends. */
export const bodyInvalid = (): MayflyError => new MayflyError('invalid_request', 'The body is not an event')

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

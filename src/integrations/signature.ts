import { createHmac } from 'node:crypto'
import { MayflyError } from '#core/errors.ts'

export const hmac = (key: Uint8Array | string, bytes: Uint8Array | string): string =>
  createHmac('sha256', key).update(bytes).digest('hex')

export const signatureInvalid = (): MayflyError => new MayflyError('signature_invalid')

/** The error for a body that has a valid signature but is not an event. */
export const bodyInvalid = (): MayflyError => new MayflyError('invalid_request', 'The body is not an event')

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { AppendOutcome, NewAddress, NewMessage, Store } from '#core/ports.ts'

export const NOW = 1_800_000_000_000
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A new key of 22 characters, like those of addresses and names. */
export const key = (): string => randomBytes(17).toString('base64url').slice(0, 22)

export function newAddress(fields: Partial<NewAddress> = {}): NewAddress {
  const expiresAt = fields.expiresAt ?? NOW + DAY
  return {
    id: key(),
    nameKey: key(),
    publicKey: randomBytes(32),
    sealedName: randomBytes(80),
    lifetime: 'day',
    createdAt: NOW,
    expiresAt,
    heldUntil: expiresAt + 30 * DAY,
    ...fields,
  }
}

let messages = 0

/** A message of 1,000 bytes; ids grow with each call. */
export function newMessage(addressId: string, fields: Partial<NewMessage> = {}): NewMessage {
  return {
    addressId,
    id: `01k${String(++messages).padStart(23, '0')}`,
    receivedAt: NOW,
    expiresAt: NOW + DAY,
    size: 1000,
    limitBytes: 1_000_000,
    sealedBody: randomBytes(1200),
    ...fields,
  }
}

/** Whether the message is there, under whichever id. */
export const isStored = (outcome: AppendOutcome): boolean => outcome !== 'full' && outcome !== 'gone'

/** Claims a new address in the store. */
export async function claimed(store: Store, fields: Partial<NewAddress> = {}): Promise<NewAddress> {
  const address = newAddress(fields)
  expect(await store.addresses.claim(address, NOW)).toBe(true)
  return address
}

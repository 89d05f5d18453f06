import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { NewAddress } from '#core/mailbox/address.ts'
import { idAfter } from '#core/mailbox/message-id.ts'
import type { AppendOutcome, MessageStore, NewMessage } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'

export const NOW = 1_800_000_000_000

/** Returns a new key of 22 characters, like those of addresses and names. */
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

/** Returns a message of 1,000 bytes. Ids increase with each call. */
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

/**
 * Stores messages as the receiver does: those that arrive after a later id get new ids, and are stored together again.
 */
export async function appendAll(
  store: Pick<MessageStore, 'append'>,
  batch: readonly NewMessage[],
): Promise<AppendOutcome[]> {
  const outcomes = await store.append(batch)
  let last = ''
  const late = batch.flatMap((message, i) => {
    const outcome = outcomes[i]
    if (typeof outcome !== 'object') return []
    last = idAfter(outcome.after > last ? outcome.after : last, randomBytes)
    return [{ ...message, id: last }]
  })
  if (late.length === 0) return outcomes
  const retried = await appendAll(store, late)
  return outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : (retried.shift() ?? 'gone')))
}

/** Claims a new address in the store. */
export async function claimed(store: Store, fields: Partial<NewAddress> = {}): Promise<NewAddress> {
  const address = newAddress(fields)
  expect(await store.addresses.claim(address, NOW)).toBe(true)
  return address
}

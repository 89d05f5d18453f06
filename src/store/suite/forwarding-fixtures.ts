import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type {
  ForwardingLimits,
  ForwardingRow,
  MessageForwarding,
  NewForwardingJob,
  WaitingJob,
} from '#core/forwarding/forwarding.ts'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { key, newMessage, NOW } from './fixtures.ts'
import { newEmail } from './premium-fixtures.ts'

const LIMITS: ForwardingLimits = { asksPerDay: 3, destinations: 3, rows: 10 }
/** Options of `take`. */
export const ANY = { limit: 100, except: [] }

type AskedForwarding = Parameters<Store['forwardings']['ask']>[0]

/** Returns a waiting forwarding to a new destination. */
export const newForwarding = (addressId: string, fields: Partial<AskedForwarding> = {}): AskedForwarding => ({
  id: key(),
  addressId,
  destinationKey: key(),
  sealedDestination: new Uint8Array(randomBytes(60)),
  language: 'en',
  state: 'waiting',
  end: null,
  createdAt: NOW,
  confirmedAt: null,
  endsAt: NOW + DAY,
  bounces: 0,
  tokenHash: key(),
  ...fields,
})

export const ask = (store: Store, row: AskedForwarding, now = NOW, limits: Partial<ForwardingLimits> = {}) =>
  store.forwardings.ask(row, { ...LIMITS, ...limits }, now, newEmail())

export const TERMS = { endsAt: NOW + 7 * DAY, addressEndsAt: NOW + 7 * DAY, addressHeldUntil: NOW + 37 * DAY }

/** Adds a forwarding whose destination has consented. */
export async function forwarded(store: Store, addressId: string, fields: Partial<AskedForwarding> = {}) {
  const row = newForwarding(addressId, fields)
  expect(await ask(store, row)).toBe('asked')
  expect(await store.forwardings.confirm(row.tokenHash, TERMS, NOW)).toBe(true)
  return row
}

let jobs = 0

/** Ids increase with each call. */
export const newJob = ({ id, destinationKey }: Pick<ForwardingRow, 'id' | 'destinationKey'>): NewForwardingJob => ({
  id: `01j${String(++jobs).padStart(23, '0')}`,
  forwardingId: id,
  destinationKey,
})

export const newMail = (...rows: Pick<ForwardingRow, 'id' | 'destinationKey'>[]): MessageForwarding => ({
  sealedMail: new Uint8Array(randomBytes(900)),
  jobs: rows.map(newJob),
})

type ForwardedMessage = NewMessage & { forwarding: MessageForwarding }

/** Returns a message with jobs for these forwardings. */
export const newForwarded = (
  rows: readonly [ForwardingRow, ...ForwardingRow[]],
  fields: Partial<NewMessage> = {},
): ForwardedMessage => ({ ...newMessage(rows[0].addressId, fields), forwarding: newMail(...rows) })

/** Leases all due jobs for one millisecond. */
export async function takeAll(store: Store, now = NOW): Promise<WaitingJob[]> {
  const all: WaitingJob[] = []
  for (;;) {
    const taken = await store.forwardingJobs.take(now, now + 1, ANY)
    if (taken.length === 0) return all
    all.push(...taken)
  }
}

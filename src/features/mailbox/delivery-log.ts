import { LRUCache } from 'lru-cache'
import { deliveriesOf, type EventBus } from '#core/events.ts'
import type { AddressId, MessageId } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import { type DeliveryStore, type FailedDelivery } from '#core/mailbox/delivery.ts'
import type { Lifetime } from '#core/mailbox/lifetime.ts'
import type { Sealer } from '#core/mailbox/mail-reader.ts'
import type { NewMessageId } from '#core/mailbox/message-id.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import type { Metrics } from '#core/telemetry.ts'
import { type Clock, HOUR, SECOND } from '#core/time.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { originOf } from './origin.ts'

/** An attempt to deliver that left no message. */
export interface FailedAttempt extends Pick<FailedDelivery, 'result' | 'reply' | 'size'> {
  envelope: Pick<Envelope, 'mailFrom' | 'helo' | 'clientAddress' | 'receivedAt'>
}

/**
 * Writes failed deliveries in the background: once a second, a bounded number of rows, sealed. Identical attempts share
 * a row with a count, so that a flood costs memory look-ups, not writes.
 */
export interface DeliveryLog {
  /** Never waits and never throws. Drops the attempt if too many wait. */
  note(recipient: Pick<RecipientRow, 'id' | 'publicKey' | 'lifetime'>, attempt: FailedAttempt): void
  /** Writes everything that waits, and resolves when it is stored. */
  settled(): Promise<void>
}

interface DeliveryLogDeps {
  store: Pick<DeliveryStore, 'put'>
  sealer: Pick<Sealer, 'seal'>
  newMessageId: NewMessageId
  bus: Pick<EventBus, 'publish'>
  clock: Clock
  metrics: Metrics
  /** How long messages are kept, in milliseconds, by the lifetime of their address. */
  retention: Record<Lifetime, number>
}

interface Entry {
  addressId: AddressId
  publicKey: Uint8Array
  id: MessageId
  expiresAt: number
  delivery: FailedDelivery
  writes: number
  /** When it may be written again, by `performance.now()`. */
  dueAt: number
}

/** How long identical attempts share a row, in milliseconds. */
const TOGETHER = HOUR
/** The rows of one address per `TOGETHER`. Further senders share one row per result. */
export const OWN_ROWS = 20
/** Attempts, and addresses, that are remembered. An attempt takes less than 1 KB. */
const MAX_REMEMBERED = 5000
const MAX_WAITING = 1000
/** The time between two writes in milliseconds, and the rows of one write. */
const INTERVAL = SECOND
const MAX_ROWS = 200
/** A row that was written n times waits n seconds, at most this many, before it is written again. */
const MAX_PAUSES = 60

export function createDeliveryLog(deps: DeliveryLogDeps): DeliveryLog {
  const { metrics } = deps
  const remembered = new LRUCache<string, Entry>({ max: MAX_REMEMBERED })
  const rows = new LRUCache<AddressId, { count: number; since: number }>({ max: MAX_REMEMBERED })
  const waiting = new Set<Entry>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  /** Counts a row of an address. Returns false if it has too many. */
  function takeRow(addressId: AddressId, now: number): boolean {
    const known = rows.get(addressId)
    const taken = known && now - known.since < TOGETHER ? known : { count: 0, since: now }
    rows.set(addressId, taken)
    return ++taken.count <= OWN_ROWS
  }

  function recent(key: string, now: number): Entry | undefined {
    const entry = remembered.get(key)
    return entry && now - entry.delivery.firstAt < TOGETHER ? entry : undefined
  }

  /** Returns the row that the attempt belongs to, with its key. */
  function find(addressId: AddressId, { envelope, ...attempt }: FailedAttempt): [key: string, entry: Entry] {
    const { receivedAt: at } = envelope
    const origin = originOf(envelope)
    const own = [addressId, attempt.result, attempt.reply, origin.senderDomain, origin.server.network].join(' ')
    const known = recent(own, at)
    if (known) return [own, known]
    const isOwn = takeRow(addressId, at)
    const key = isOwn ? own : `${addressId} ${attempt.result}`
    const shared = isOwn ? undefined : recent(key, at)
    if (shared) return [key, shared]
    const { result } = attempt
    const details = isOwn ? { ...attempt, origin } : { result, reply: null, size: null, origin: null }
    const delivery = { at, firstAt: at, count: 0, ...details }
    const id = deps.newMessageId()
    return [key, { addressId, publicKey: new Uint8Array(), id, expiresAt: 0, delivery, writes: 0, dueAt: 0 }]
  }

  async function write(due: readonly Entry[]): Promise<void> {
    try {
      const items = due.map(({ publicKey, delivery, ...key }) => ({
        publicKey,
        place: messagePlace('delivery', key),
        plaintext: Buffer.from(JSON.stringify(delivery)),
      }))
      const sealed = await deps.sealer.seal(items)
      await deps.store.put(
        due.map(({ addressId, id, expiresAt }, i) => ({
          addressId,
          id,
          expiresAt,
          sealedDelivery: sealed[i] as Uint8Array,
        })),
        deps.clock(),
      )
      for (const addressId of new Set(due.map((each) => each.addressId))) deps.bus.publish(deliveriesOf(addressId))
    } catch {
      // Nobody waits for these rows. If the store cannot write, calls that do wait report it.
      metrics.count('deliveries_dropped', {}, due.length)
    }
  }

  /** Takes the rows that are due from the queue and writes them. */
  function next(isDue: (entry: Entry) => boolean): Promise<void> {
    const due = [...waiting].filter(isDue).slice(0, MAX_ROWS)
    for (const entry of due) {
      waiting.delete(entry)
      entry.dueAt = performance.now() + Math.min(++entry.writes, MAX_PAUSES) * SECOND
    }
    return due.length > 0 ? write(due) : Promise.resolve()
  }

  function startTimer(): void {
    timer ??= setTimeout(() => {
      const now = performance.now()
      writing = next(({ dueAt }) => dueAt <= now).then(() => {
        timer = undefined
        if (waiting.size > 0) startTimer()
      })
    }, INTERVAL).unref()
  }

  return {
    note(recipient, attempt) {
      // Nobody waits for a particular email in the operator mailbox.
      if (recipient.lifetime === 'operator') return
      const [key, entry] = find(recipient.id, attempt)
      const { receivedAt: at } = attempt.envelope
      entry.publicKey = recipient.publicKey
      entry.expiresAt = at + deps.retention[recipient.lifetime]
      entry.delivery = { ...entry.delivery, at, count: entry.delivery.count + 1, size: attempt.size }
      remembered.set(key, entry)
      if (!waiting.has(entry) && waiting.size >= MAX_WAITING) return metrics.count('deliveries_dropped')
      waiting.add(entry)
      startTimer()
    },

    async settled() {
      await writing
      while (waiting.size > 0) await next(() => true)
    },
  }
}

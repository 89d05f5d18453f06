import { MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import { type MessageStore, OPERATOR_SHARES, type OperatorShare } from '#core/mailbox/message-store.ts'
import { isLoopback, widestNetwork } from '#core/networks.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { type Holder, TokenBuckets } from '#core/token-buckets.ts'
import { createTrouble } from '#core/trouble.ts'

/** A message to the operator mailbox, as its limits see it. */
export interface OperatorMail {
  /** The share of the mailbox that the message uses. */
  share: OperatorShare
  /** The IP address of the client, if known. */
  from: string | undefined
}

/**
 * The limits of the operator mailbox. Each share has a fifth of the storage, and each network at most a twentieth of a
 * share.
 */
export interface OperatorRoom {
  /**
   * Throws `mailbox_full` if the share or the network's part of it has no room for a message of `bytes` bytes, and
   * `message_too_big` if it never has. Default: one byte.
   */
  check(mail: OperatorMail, bytes?: number): Promise<void>
  /**
   * Reserves room for a message of `bytes` bytes before it is stored. The caller must then call `settle`. Throws
   * `mailbox_full` if the message does not fit, and `message_too_big` if it never can, unless `anyway` is true.
   */
  take(mail: OperatorMail, bytes: number, anyway: boolean): Promise<void>
  /** Confirms the reservation if the message was stored, or cancels it. */
  settle(mail: OperatorMail, bytes: number, stored: boolean): void
  /** The bytes used by each network, which are shared with other nodes. */
  rates: Record<'operatorMail', TokenBuckets>
}

interface OperatorRoomDeps {
  store: Pick<MessageStore, 'usedByShare'>
  clock: Clock
  logger: Pick<Logger, 'warn' | 'info'>
  mailbox: () => Promise<AddressId | undefined>
  /** The storage limit of the whole mailbox, in bytes. */
  limit: number
  /** How long its messages are kept, in milliseconds. */
  retention: number
}

/** The part of a share that one network may use. */
const NETWORK_PART = 1 / 20
/**
 * The maximum age of the sums read from the store, in milliseconds. They change when other nodes store and when
 * messages expire.
 */
const SUMS_MAX_AGE = 5000

export function createOperatorRoom(deps: OperatorRoomDeps): OperatorRoom {
  const { store, clock, logger, mailbox, limit, retention } = deps
  const shareLimit = Math.floor(limit / OPERATOR_SHARES.length)
  const networkLimit = Math.max(1, Math.floor(shareLimit * NETWORK_PART))
  const networks = new TokenBuckets(networkLimit, retention / networkLimit, () => performance.now())
  /** Bytes reserved on this node since the start, without canceled reservations. */
  const taken = sums()
  /** The part of `taken` that is stored. */
  const settled = sums()
  /** Bytes in the store, at the last read. */
  let stored = sums()
  /** The part of `taken` that `stored` certainly includes. */
  let counted = sums()
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const before = { ...settled }
    const id = await mailbox()
    stored = { ...sums(), ...(id === undefined ? {} : await store.usedByShare(id, clock())) }
    counted = before
    readAt = performance.now()
  }

  async function refresh(): Promise<void> {
    if (performance.now() - readAt > SUMS_MAX_AGE) await (reading ??= read().finally(() => (reading = undefined)))
  }

  const troubles = new Map(
    OPERATOR_SHARES.map((share) => [
      share,
      createTrouble({
        start: () => logger.warn({ share }, 'this part of the operator mailbox is full: mayfly operator-mail delete'),
        end: () => logger.info({ share }, 'this part of the operator mailbox has room again'),
      }),
    ]),
  )

  /** Whether a share has room for so many bytes. The log says when it has none, and when it has room again. */
  function hasRoom(share: OperatorShare, bytes: number): boolean {
    const trouble = troubles.get(share)
    const fits = used(share) + bytes <= shareLimit
    if (fits) trouble?.end()
    else trouble?.start(undefined)
    return fits
  }

  const used = (share: OperatorShare): number => stored[share] + taken[share] - counted[share]

  /**
   * Returns whose part of a share the message uses: the widest network of the client, because one sender can own many
   * narrower ones. Clients on this machine have no limit.
   */
  function holderOf({ share, from }: OperatorMail): Holder {
    if (from === undefined || isLoopback(from)) return []
    return [{ name: `${share} ${widestNetwork(from)}`, times: 1 }]
  }

  function requireRoom(mail: OperatorMail, bytes: number): void {
    if (bytes > shareLimit) throw new MayflyError('message_too_big')
    if (!hasRoom(mail.share, bytes) || !networks.has(holderOf(mail), bytes)) throw new MayflyError('mailbox_full')
  }

  return {
    rates: { operatorMail: networks },

    async check(mail, bytes = 1) {
      await refresh()
      requireRoom(mail, bytes)
    },

    async take(mail, bytes, anyway) {
      await refresh()
      if (!anyway) requireRoom(mail, bytes)
      networks.owe(holderOf(mail), bytes)
      taken[mail.share] += bytes
    },

    settle(mail, bytes, wasStored) {
      if (wasStored) settled[mail.share] += bytes
      else {
        taken[mail.share] -= bytes
        networks.give(holderOf(mail), bytes)
      }
    },
  }
}

const sums = (): Record<OperatorShare, number> => ({ postmaster: 0, abuse: 0, contact: 0, problem: 0, premium: 0 })

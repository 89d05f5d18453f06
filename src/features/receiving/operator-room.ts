import { MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import { type MessageStore, OPERATOR_SHARES, type OperatorShare } from '#core/mailbox/message-store.ts'
import { isLoopback, senderNetworks } from '#core/networks.ts'
import type { Clock } from '#core/time.ts'
import { type Holder, TokenBuckets } from '#core/token-buckets.ts'

/** One mail to the operator: which part of the mailbox it fills, and the IP address that it comes from. */
export interface OperatorMail {
  share: OperatorShare
  /** Undefined where nothing is known of it. */
  from: string | undefined
}

/** The room in the operator's mailbox. A fifth of it is for each share, and so much of that for one network at most. */
export interface OperatorRoom {
  /** Throws `mailbox_full` where nothing more fits. */
  check(mail: OperatorMail): Promise<void>
  /**
   * Takes room for a mail of so many bytes before it is stored; `settle` must follow. Throws `mailbox_full` where it doesn't fit,
   * unless `anyway`.
   */
  take(mail: OperatorMail, bytes: number, anyway: boolean): Promise<void>
  /** It was stored, or not. */
  settle(mail: OperatorMail, bytes: number, stored: boolean): void
  /** Bytes that networks have taken, for other nodes to count them too. */
  rates: Record<'operatorMail', TokenBuckets>
}

export interface OperatorRoomDeps {
  store: Pick<MessageStore, 'usedByShare'>
  clock: Clock
  mailbox: () => Promise<AddressId | undefined>
  /** Bytes of the whole mailbox. */
  limit: number
  /** Milliseconds for which its mail is kept. */
  retention: number
}

/** What one network may fill of a share. */
const NETWORK_PART = 1 / 20
/** How old the sums of the store may be, in milliseconds: other nodes store mail too, and mail expires. */
const SUMS_AGE = 5000

export function createOperatorRoom({ store, clock, mailbox, limit, retention }: OperatorRoomDeps): OperatorRoom {
  const shareLimit = Math.floor(limit / OPERATOR_SHARES.length)
  const networkLimit = Math.max(1, Math.floor(shareLimit * NETWORK_PART))
  const networks = new TokenBuckets(networkLimit, retention / networkLimit, () => performance.now())
  /** Bytes that were taken here, and those of them that are in the store or given back, since the start. */
  const taken = sums()
  const settled = sums()
  /** Bytes in the store, and what of `taken` they hold for certain. */
  let stored = sums()
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
    if (performance.now() - readAt > SUMS_AGE) await (reading ??= read().finally(() => (reading = undefined)))
  }

  const used = (share: OperatorShare): number => stored[share] + taken[share] - counted[share]

  /** Whose part of a share it is: the widest network, for there are too many narrow ones in it. Programs here have no limit. */
  function holderOf({ share, from }: OperatorMail): Holder {
    const widest = from === undefined || isLoopback(from) ? undefined : senderNetworks(from).at(-1)
    return widest ? [{ name: `${share} ${widest.name}`, times: 1 }] : []
  }

  return {
    rates: { operatorMail: networks },

    async check(mail) {
      await refresh()
      if (used(mail.share) >= shareLimit || !networks.has(holderOf(mail))) throw new MayflyError('mailbox_full')
    },

    async take(mail, bytes, anyway) {
      await refresh()
      const fits = used(mail.share) + bytes <= shareLimit && networks.has(holderOf(mail), bytes)
      if (!fits && !anyway) throw new MayflyError('mailbox_full')
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

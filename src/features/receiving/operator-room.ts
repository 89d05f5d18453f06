import { MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import { type MessageStore, OPERATOR_SHARES, type OperatorShare } from '#core/mailbox/message-store.ts'
import { sharingNetwork } from '#core/networks.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { createTrouble, type Trouble } from '#core/trouble.ts'
import { createStoredSums, type StoredSums } from './stored-sums.ts'

/** A message to the operator mailbox, as its limits see it. */
export interface OperatorMail {
  /** The share of the mailbox that the message uses. */
  share: OperatorShare
  /** The IP address of the client, if known. */
  from: string | undefined
}

/**
 * The limits of the operator mailbox. Each share has a fifth of the storage, and each network at most a twentieth of a
 * share. A network is the widest one of a client, because one sender can own many narrower ones. Clients on this machine
 * have no limit.
 */
export interface OperatorRoom {
  /**
   * Throws `mailbox_full` if the share or the network's part of it has no room for a message of `bytes` bytes, and
   * `message_too_big` if it never has. Default: one byte.
   */
  check(mail: OperatorMail, bytes?: number): Promise<void>
  /**
   * Reserves room for a message of `bytes` bytes before it is stored. The caller must then call `settle`. Throws
   * `mailbox_full` if the message does not fit, and `message_too_big` if it never can.
   */
  take(mail: OperatorMail, bytes: number): Promise<void>
  /** Confirms the reservation if the message was stored, or cancels it. */
  settle(mail: OperatorMail, bytes: number, stored: boolean): void
  /** Returns the hash of the client's network, by which the store finds its messages; undefined if it has no limit. */
  networkOf(mail: OperatorMail): string | undefined
}

interface OperatorRoomDeps {
  store: Pick<MessageStore, 'usedByShare' | 'usedByNetwork'>
  clock: Clock
  logger: Pick<Logger, 'warn' | 'info'>
  mailbox: () => Promise<AddressId | undefined>
  /** The storage limit of the whole mailbox, in bytes. */
  limit: number
  /** Returns a keyed hash of a network. */
  hash: (network: string) => string
}

/** A part of the mailbox: its key in the sums, and the bytes that it may have. */
interface Part {
  sums: StoredSums<string>
  key: string
  limit: number
  trouble: Trouble
  isFull: boolean
}

/** The part of a share that one network may use. */
const NETWORK_PART = 1 / 20

export function createOperatorRoom(deps: OperatorRoomDeps): OperatorRoom {
  const { store, clock, logger, mailbox, limit } = deps
  const shareLimit = Math.floor(limit / OPERATOR_SHARES.length)
  const networkLimit = Math.max(1, Math.floor(shareLimit * NETWORK_PART))
  const readOf =
    <Sums extends object>(read: (id: AddressId) => Promise<Sums>) =>
    async (): Promise<Sums | Record<string, never>> => {
      const id = await mailbox()
      return id === undefined ? {} : read(id)
    }
  const troubleOf = (share: OperatorShare, who: string): Trouble =>
    createTrouble({
      start: () => logger.warn({ share }, `${who} of the operator mailbox is full: mayfly operator-mail delete`),
      end: () => logger.info({ share }, `${who} of the operator mailbox has room again`),
    })

  const shareSums = createStoredSums<string>(readOf((id) => store.usedByShare(id, clock())))
  const shares = new Map(
    OPERATOR_SHARES.map((share): [OperatorShare, Part] => [
      share,
      { sums: shareSums, key: share, limit: shareLimit, trouble: troubleOf(share, 'this part'), isFull: false },
    ]),
  )
  /** The networks that sent lately, and those whose part is full. */
  const networks = new Map<string, Part>()

  function networkOf({ from }: OperatorMail): string | undefined {
    const network = from === undefined ? undefined : sharingNetwork(from)
    return network === undefined ? undefined : deps.hash(network)
  }

  function partOfNetwork(share: OperatorShare, network: string): Part {
    const key = `${share} ${network}`
    const known = networks.get(key)
    if (known) return known
    for (const [each, { sums, isFull }] of networks) if (sums.isIdle() && !isFull) networks.delete(each)
    const sums = createStoredSums<string>(
      readOf(async (id) => ({ [key]: await store.usedByNetwork(id, share, network, clock()) })),
    )
    const part = {
      sums,
      key,
      limit: networkLimit,
      trouble: troubleOf(share, 'what one network may use of this part'),
      isFull: false,
    }
    networks.set(key, part)
    return part
  }

  function partsOf(mail: OperatorMail): Part[] {
    const network = networkOf(mail)
    const share = shares.get(mail.share)
    return [...(share ? [share] : []), ...(network === undefined ? [] : [partOfNetwork(mail.share, network)])]
  }

  /** Whether a part has room. The log says when it has none, and when it has room again. */
  function hasRoom(part: Part, bytes: number): boolean {
    const used = part.sums.used(part.key)
    // An empty part takes one message of any size. Otherwise its sender would try forever.
    part.isFull = used > 0 && used + bytes > part.limit
    if (part.isFull) part.trouble.start(undefined)
    else part.trouble.end()
    return !part.isFull
  }

  function requireRoom(parts: readonly Part[], bytes: number): void {
    if (bytes > shareLimit) throw new MayflyError('message_too_big')
    if (!parts.every((part) => hasRoom(part, bytes))) throw new MayflyError('mailbox_full')
  }

  async function refreshed(mail: OperatorMail): Promise<Part[]> {
    const parts = partsOf(mail)
    await Promise.all(parts.map(({ sums }) => sums.refresh()))
    return parts
  }

  return {
    networkOf,

    async check(mail, bytes = 1) {
      requireRoom(await refreshed(mail), bytes)
    },

    async take(mail, bytes) {
      const parts = await refreshed(mail)
      requireRoom(parts, bytes)
      for (const { sums, key } of parts) sums.take(key, bytes)
    },

    settle(mail, bytes, wasStored) {
      for (const { sums, key } of partsOf(mail)) sums.settle(key, bytes, wasStored)
    },
  }
}

import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { MessageId } from '#core/ids.ts'
import type { MessageRow, MessageStore } from '#core/mailbox/message-store.ts'
import { type Marks, marksOf } from '#core/mailbox/message.ts'
import type { Clock } from '#core/time.ts'
import type { KeptAddressView } from '#features/account/index.ts'
import { createMessageRows } from '#features/mailbox/index.ts'
import { isBox, VERSION } from '#mail/sealing/format.ts'
import type { Opener } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { PrivateAddress } from './private-addresses.ts'

/** A stored message. `summary` is sealed, and null until the server or the owner's browser has stored one. */
export interface SealedMessage extends Pick<MessageRow, 'id' | 'receivedAt' | 'expiresAt' | 'size'>, Marks {
  summary: Uint8Array | null
}

export interface SealedPage {
  messages: SealedMessage[]
  /** The id to pass as `before` for the next page. Null on the last page. */
  next: MessageId | null
}

/** The changes of an inbox since a revision. `address` is undefined if the address is gone. */
interface SealedChanges {
  messages: { revision: number; message: SealedMessage }[]
  deleted: { revision: number; id: MessageId }[]
  address: KeptAddressView | undefined
}

/** Messages of fully private addresses. They are returned as they are stored, because the server cannot open them. */
export interface PrivateMessages {
  /** Returns a page of messages, newest first. */
  list(address: PrivateAddress, before?: MessageId): Promise<SealedPage>
  /**
   * Returns the sealed body, which holds envelope and raw message. Throws `message_not_found`, and `message_damaged` if
   * the box cannot be the body of this message.
   */
  body(address: PrivateAddress, id: MessageId): Promise<Uint8Array>
  /**
   * Stores the summary that the browser made and sealed. Throws `message_not_found`, and `summary_invalid` if `sealed`
   * is not a box of the current version or is too large.
   */
  keepSummary(address: PrivateAddress, id: MessageId, sealed: Uint8Array): Promise<void>
  /** Throws `message_not_found`. */
  mark(address: PrivateAddress, id: MessageId, marks: Partial<Marks>): Promise<void>
  /** Throws `message_not_found`. */
  remove(address: PrivateAddress, id: MessageId): Promise<void>
  /** Deletes several messages. Ids of messages that do not exist are ignored. */
  removeAll(address: PrivateAddress, ids: readonly MessageId[]): Promise<void>
  changes(address: PrivateAddress, sinceRevision: number): Promise<SealedChanges>
  /** Calls `listener` whenever the inbox may have changed. Returns a function that stops it. */
  watch(address: PrivateAddress, listener: () => void): () => void
}

interface PrivateMessagesDeps {
  store: MessageStore
  opener: Pick<Opener, 'mayBelongTo'>
  bus: EventBus
  clock: Clock
  /** The number of messages on a page. */
  pageSize: number
}

/**
 * Returns the maximum size of a sealed summary, in bytes. A summary holds data from the message, possibly in a longer
 * encoding, and a small fixed part. Only the size of the message counts against the storage limit, so a browser must
 * not be able to store other data as a summary.
 */
const maxSummaryBytes = (messageBytes: number): number => 4096 + 4 * messageBytes

export function createPrivateMessages({ store, opener, bus, clock, pageSize }: PrivateMessagesDeps): PrivateMessages {
  const rows = createMessageRows({ store, bus, clock })

  function sealedMessage(row: MessageRow): SealedMessage {
    const { id, receivedAt, expiresAt, size, sealedSummary } = row
    const fits = sealedSummary !== null && opener.mayBelongTo(messagePlace('summary', row), sealedSummary)
    return { id, receivedAt, expiresAt, size, ...marksOf(row), summary: fits ? sealedSummary : null }
  }

  return {
    async list({ id }, before) {
      // One more row than a page holds shows whether there is a next page.
      const listed = await store.list(id, { now: clock(), limit: pageSize + 1, before })
      const page = listed.slice(0, pageSize)
      return {
        messages: page.map(sealedMessage),
        next: listed.length > pageSize ? (page.at(-1)?.id ?? null) : null,
      }
    },

    async body(address, id) {
      const row = await rows.find(address.id, id)
      const sealed = await store.body(row)
      if (!sealed) throw new MayflyError('message_not_found')
      if (!opener.mayBelongTo(messagePlace('body', row), sealed)) throw new MayflyError('message_damaged')
      return sealed
    },

    async keepSummary(address, id, sealedSummary) {
      if (!isBox(sealedSummary) || sealedSummary[0] !== VERSION)
        throw new MayflyError('summary_invalid', `Not a sealed box of version ${VERSION}`)
      const { addressId, receivedAt, expiresAt, size } = await rows.find(address.id, id)
      if (sealedSummary.length > maxSummaryBytes(size))
        throw new MayflyError('summary_invalid', 'Too large for its message')
      await store.attachSummaries([{ addressId, id, receivedAt, expiresAt, sealedSummary }])
      bus.publish(addressId)
    },

    mark: (address, id, marks) => rows.mark(address.id, id, marks),
    remove: (address, id) => rows.remove(address.id, id),
    removeAll: (address, ids) => rows.removeAll(address.id, ids),

    async changes(address, sinceRevision) {
      const [{ messages, deleted }, view] = await Promise.all([
        store.changes(address.id, sinceRevision, clock()),
        address.current(),
      ])
      return {
        // The store always includes messages without a summary. Here the browser makes summaries, so unchanged ones are
        // left out.
        messages: messages
          .filter(({ revision }) => revision > sinceRevision)
          .map((row) => ({ revision: row.revision, message: sealedMessage(row) })),
        deleted,
        address: view,
      }
    },

    watch: (address, listener) => bus.subscribe(address.id, listener),
  }
}

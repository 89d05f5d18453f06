import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { MessageId } from '#core/ids.ts'
import { isMessageId } from '#core/mailbox/message-id.ts'
import type { MessageRow, MessageStore } from '#core/mailbox/message-store.ts'
import type { Clock } from '#core/time.ts'
import type { KeptAddressView } from '#features/account/index.ts'
import { isBox, VERSION } from '#mail/sealing/format.ts'
import type { Opener } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { PrivateAddress } from './private-addresses.ts'

/** A message as the store has it. `summary` is sealed; null until the owner's browser has made it. */
export interface SealedMessage extends Pick<MessageRow, 'id' | 'receivedAt' | 'size' | 'seen'> {
  summary: Uint8Array | null
}

export interface SealedPage {
  messages: SealedMessage[]
  /** The id to pass as `before` for the next page, null on the last one. */
  next: MessageId | null
}

/** What a watcher missed since a revision. `address` is undefined where the address has ended. */
export interface SealedChanges {
  messages: { revision: number; message: SealedMessage }[]
  deleted: { revision: number; id: MessageId }[]
  address: KeptAddressView | undefined
}

/** The mail of fully private addresses: handed out as it lies in the store, for nobody here can open it. */
export interface PrivateMessages {
  /** Newest first. */
  list(address: PrivateAddress, before?: MessageId): Promise<SealedPage>
  /** Envelope and mail, sealed. Throws `message_not_found`, and `message_damaged` for what can't be the body of this message. */
  body(address: PrivateAddress, id: MessageId): Promise<Uint8Array>
  /** Keeps the summary that the browser made and sealed. Throws `message_not_found`, and `summary_invalid` for what is none. */
  keepSummary(address: PrivateAddress, id: MessageId, sealed: Uint8Array): Promise<void>
  /** Throws `message_not_found`. */
  setSeen(address: PrivateAddress, id: MessageId, seen: boolean): Promise<void>
  /** Throws `message_not_found`. */
  remove(address: PrivateAddress, id: MessageId): Promise<void>
  changes(address: PrivateAddress, sinceRevision: number): Promise<SealedChanges>
  /** Calls `listener` whenever the inbox may have changed; answers a function that ends it. */
  watch(address: PrivateAddress, listener: () => void): () => void
}

export interface PrivateMessagesDeps {
  store: MessageStore
  opener: Pick<Opener, 'mayLieAt'>
  bus: EventBus
  clock: Clock
  /** Messages on one page. */
  pageSize: number
}

/**
 * Bytes of the largest sealed summary of a mail. All in it comes from the mail, if in longer words, but for what the service says
 * and the envelope; only the mail counts as storage that is used, so a summary must not be a way around that.
 */
const largestSummary = (mailBytes: number): number => 4096 + 4 * mailBytes

export function createPrivateMessages({ store, opener, bus, clock, pageSize }: PrivateMessagesDeps): PrivateMessages {
  function sealedMessage(row: MessageRow): SealedMessage {
    const { id, receivedAt, size, seen, sealedSummary } = row
    const fits = sealedSummary !== null && opener.mayLieAt(messagePlace('summary', row), sealedSummary)
    return { id, receivedAt, size, seen, summary: fits ? sealedSummary : null }
  }

  async function rowOf({ id: addressId }: PrivateAddress, id: MessageId): Promise<MessageRow> {
    const row = isMessageId(id) ? await store.find(addressId, id, clock()) : undefined
    if (!row) throw new MayflyError('message_not_found')
    return row
  }

  return {
    async list({ id }, before) {
      // One more than a page: whether there is a next one.
      const rows = await store.list(id, { now: clock(), limit: pageSize + 1, before })
      const page = rows.slice(0, pageSize)
      return {
        messages: page.map(sealedMessage),
        next: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null,
      }
    },

    async body(address, id) {
      const row = await rowOf(address, id)
      const sealed = await store.body(row)
      if (!sealed) throw new MayflyError('message_not_found')
      if (!opener.mayLieAt(messagePlace('body', row), sealed)) throw new MayflyError('message_damaged')
      return sealed
    },

    async keepSummary(address, id, sealedSummary) {
      if (!isBox(sealedSummary) || sealedSummary[0] !== VERSION)
        throw new MayflyError('summary_invalid', `Not a sealed box of version ${VERSION}`)
      const { addressId, receivedAt, expiresAt, size } = await rowOf(address, id)
      if (sealedSummary.length > largestSummary(size))
        throw new MayflyError('summary_invalid', 'Too large for its message')
      await store.attachSummaries([{ addressId, id, receivedAt, expiresAt, sealedSummary }])
      bus.publish(addressId)
    },

    async setSeen(address, id, seen) {
      await rowOf(address, id)
      if ((await store.setSeen(address.id, id, seen)) === undefined) throw new MayflyError('message_not_found')
      bus.publish(address.id)
    },

    async remove(address, id) {
      await rowOf(address, id)
      await store.remove(address.id, id)
      bus.publish(address.id)
    },

    async changes(address, sinceRevision) {
      const [{ messages, deleted }, view] = await Promise.all([
        store.changes(address.id, sinceRevision, clock()),
        address.look(),
      ])
      return {
        // The store tells of every one without a summary each time; here it is the reader who makes them.
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

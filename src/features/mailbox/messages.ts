import { MayflyError, undefinedFor } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'
import type { AskSpamFilter, MessageCheck, MessageInspection } from '#core/mailbox/checks.ts'
import type { MailReader, WantedText } from '#core/mailbox/mail-reader.ts'
import type { MessageRow } from '#core/mailbox/message-store.ts'
import {
  type Attachment,
  type Envelope,
  type Marks,
  marksOf,
  type MessageContent,
  type MessageSummary,
  type SummaryContent,
} from '#core/mailbox/message.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { type Opener, SealError } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { AddressView, Addresses } from './addresses.ts'
import type { OpenAddress } from './claims.ts'
import { createMessageRows } from './message-rows.ts'
import { createMessageSearch, type MessageSearch, type MessageSearchDeps } from './message-search.ts'
import type { Readings } from './readings.ts'
import type { RemoteContent } from './remote-content.ts'
import type { Summaries } from './summaries.ts'
import { shownOf } from './summarized-message.ts'
import type { OpenBody } from './summary-updates.ts'

/** The changes of an inbox since a revision. `address` is undefined if the address is gone. */
interface ChangesView {
  messages: { revision: number; summary: MessageSummary }[]
  deleted: { revision: number; id: string }[]
  address: AddressView | undefined
}

/** A row of the inbox whose summary is opened on demand. */
export interface ListedMessage extends Pick<MessageRow, 'id' | 'revision' | 'seen'> {
  /** Returns undefined if the message was deleted in the meantime. */
  summary(): Promise<MessageSummary | undefined>
}

export interface Messages extends MessageSearch {
  /** Returns up to `limit` messages, newest first; with `before`, of those that arrived before that message. */
  newest(open: OpenAddress, limit: number, before?: string): Promise<ListedMessage[]>
  /** Returns which of these texts a message contains: none if it is gone or damaged. */
  contains(open: OpenAddress, id: string, wanted: readonly string[]): Promise<boolean[]>
  /** Returns the summary. Throws `message_not_found`. */
  find(open: OpenAddress, id: string): Promise<MessageSummary>
  /**
   * Returns the summary and the content. With `outline`, the content has only what the page around the frame of the
   * message needs. Throws `message_not_found` and, like every method that opens the raw message, `message_damaged`.
   */
  read(
    open: OpenAddress,
    id: string,
    options?: { outline?: boolean },
  ): Promise<{ summary: MessageSummary; content: MessageContent }>
  /**
   * Inspects a message that a program sent. `inspection` is undefined if the message cannot be parsed, and `spam` without
   * a spam filter.
   */
  inspect(
    open: OpenAddress,
    id: string,
    askSpamFilter?: AskSpamFilter,
  ): Promise<{
    summary: MessageSummary
    envelope: Envelope
    inspection: MessageInspection | undefined
    spam: MessageCheck['spam']
  }>
  /**
   * Returns the document of the frame. `remote` allows remote content through the proxy. Throws `message_not_found`.
   */
  frame(open: OpenAddress, id: string, options: { view: 'html' | 'text'; remote: boolean }): Promise<Uint8Array>
  mark(open: OpenAddress, id: string, marks: Partial<Marks>): Promise<MessageSummary>
  /** Changes the marks of several messages. Ids of messages that do not exist are ignored. */
  markAll(open: OpenAddress, ids: readonly string[], marks: Partial<Marks>): Promise<void>
  remove(open: OpenAddress, id: string): Promise<void>
  /** Deletes several messages. Ids of messages that do not exist are ignored. */
  removeAll(open: OpenAddress, ids: readonly string[]): Promise<void>
  /** Returns the raw message, with its Return-Path and Received fields (RFC 5322). */
  raw(open: OpenAddress, id: string): Promise<Uint8Array>
  /** Throws `message_not_found`, `attachment_not_found`. */
  attachment(open: OpenAddress, id: string, index: number): Promise<Attachment>
  /** Returns the document of the frame with an attached image. Throws like `attachment`. */
  image(open: OpenAddress, id: string, index: number): Promise<Uint8Array>
  /** Returns a ZIP file of all attachments. Throws like `attachment`. */
  archive(open: OpenAddress, id: string): Promise<Uint8Array>
  changes(open: OpenAddress, sinceRevision: number): Promise<ChangesView>
  /** Calls `listener` whenever the inbox may have changed. Returns a function that stops it. */
  watch(open: OpenAddress, listener: () => void): () => void
}

interface MessagesDeps extends Pick<MessageSearchDeps, 'pageSize' | 'scanMax' | 'minRetention'> {
  store: Store
  addresses: Pick<Addresses, 'view' | 'validUntil'>
  summaries: Summaries
  reader: MailReader
  opener: Pick<Opener, 'openLarge'>
  readings: Readings
  remoteContent: Pick<RemoteContent, 'signer'>
  bus: EventBus
  clock: Clock
}

const summaryOf = (row: MessageRow, content: SummaryContent): MessageSummary => ({
  ...shownOf(content),
  id: row.id,
  receivedAt: row.receivedAt,
  expiresAt: row.expiresAt,
  size: row.size,
  ...marksOf(row),
})

export function createMessages(deps: MessagesDeps): Messages {
  const { store, summaries, bus, clock } = deps
  const rows = createMessageRows({ store: store.messages, bus, clock })

  async function view(open: OpenAddress, row: MessageRow): Promise<MessageSummary | undefined> {
    const content = await summaries.read(open, row)
    return content && summaryOf(row, content)
  }

  const rowOf = (open: OpenAddress, id: string): Promise<MessageRow> => rows.find(open.row.id, id)

  async function opened({ keys }: OpenAddress, row: MessageRow, sealed: Uint8Array): Promise<OpenBody> {
    try {
      return unpackBody(await deps.opener.openLarge(keys, messagePlace('body', row), sealed))
    } catch (error) {
      if (error instanceof SealError) throw new MayflyError('message_damaged', undefined, { cause: error })
      throw error
    }
  }

  /** Opens a message and runs `work` on it as soon as the limits of `readings` allow. */
  async function withBody<T>(
    open: OpenAddress,
    id: string,
    work: (row: MessageRow, body: OpenBody) => Promise<T>,
  ): Promise<T> {
    const found = await rowOf(open, id)
    return deps.readings.run(open.row.id, found.size, async () => {
      // The message may have changed or been deleted while this call waited.
      const [row, sealed] = await Promise.all([rowOf(open, id), store.messages.body(found)])
      if (!sealed) throw new MayflyError('message_not_found')
      return work(row, await opened(open, row, sealed))
    })
  }

  /** Reads a part that a message may lack. */
  const part = <T>(
    open: OpenAddress,
    id: string,
    work: (raw: Uint8Array, options: { addressId: AddressId }) => Promise<T | undefined>,
  ): Promise<T> =>
    withBody(open, id, async (_row, { raw }) => {
      const found = await work(raw, { addressId: open.row.id })
      if (found === undefined) throw new MayflyError('attachment_not_found')
      return found
    })

  async function find(open: OpenAddress, id: string): Promise<MessageSummary> {
    const summary = await view(open, await rowOf(open, id))
    if (!summary) throw new MayflyError('message_not_found')
    return summary
  }

  /** A search goes on without a message that is gone or damaged. */
  async function contains(
    open: OpenAddress,
    id: string,
    wanted: readonly string[],
    as: WantedText,
  ): Promise<boolean[]> {
    const found = withBody(open, id, (_row, { raw }) =>
      deps.reader.contains(raw, wanted, { as, addressId: open.row.id }),
    )
    return (await found.catch(undefinedFor('message_not_found', 'message_damaged'))) ?? wanted.map(() => false)
  }

  const search = createMessageSearch({
    ...deps,
    messages: store.messages,
    summary: view,
    textSearch: (open, id) => ({
      contains: async (wanted) => (await contains(open, id, [wanted], 'pattern')).includes(true),
      hasWords: async (words) => (await contains(open, id, words, 'word')).every(Boolean),
    }),
    validUntil: deps.addresses.validUntil,
  })

  return {
    ...search,

    find,
    contains: (open, id, wanted) => contains(open, id, wanted, 'text'),

    async newest(open, limit, before) {
      const listed = await store.messages.list(open.row.id, { now: clock(), limit, before })
      return listed.map((row) => ({
        id: row.id,
        revision: row.revision,
        seen: row.seen,
        summary: () => view(open, row),
      }))
    },

    read: (open, id, options = {}) =>
      withBody(open, id, async (row, body) => {
        const summary = await summaries.complete(open, row, body)
        const content = await deps.reader.content(body.raw, { ...options, addressId: open.row.id })
        summaries.authenticate(open, row, summary, body)
        return { summary: summaryOf(row, summary), content }
      }),

    inspect: (open, id, askSpamFilter) =>
      withBody(open, id, async (row, body) => {
        const summary = await summaries.complete(open, row, body)
        const [inspection, spam] = await Promise.all([
          deps.reader.inspect(body.raw, { addressId: open.row.id }),
          askSpamFilter?.(body.raw, body.envelope),
        ])
        summaries.authenticate(open, row, summary, body)
        return { summary: summaryOf(row, summary), envelope: body.envelope, inspection, spam }
      }),

    async mark(open, id, marks) {
      await rows.mark(open.row.id, id, marks)
      return find(open, id)
    },

    markAll: (open, ids, marks) => rows.markAll(open.row.id, ids, marks),
    remove: (open, id) => rows.remove(open.row.id, id),
    removeAll: (open, ids) => rows.removeAll(open.row.id, ids),

    frame: (open, id, options) =>
      withBody(open, id, (_row, { raw }) => {
        const remote = options.remote ? deps.remoteContent.signer() : undefined
        return deps.reader.frame(raw, { view: options.view, remote, addressId: open.row.id })
      }),

    raw: (open, id) => withBody(open, id, async (_row, { raw }) => raw),

    attachment: (open, id, index) => part(open, id, (raw, options) => deps.reader.attachment(raw, index, options)),
    image: (open, id, index) => part(open, id, (raw, options) => deps.reader.image(raw, index, options)),
    archive: (open, id) => part(open, id, (raw, options) => deps.reader.archive(raw, options)),

    async changes(open, sinceRevision) {
      const now = clock()
      const [changes, row] = await Promise.all([
        store.messages.changes(open.row.id, sinceRevision, now),
        store.addresses.find(open.row.id, now),
      ])
      const messages: ChangesView['messages'] = []
      for (const each of changes.messages) {
        const summary = await view(open, each)
        if (summary) messages.push({ revision: each.revision, summary })
      }
      return { messages, deleted: changes.deleted, address: row && (await deps.addresses.view({ ...open, row })) }
    },

    watch: (open, listener) => bus.subscribe(open.row.id, listener),
  }
}

import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import { isMessageId, timeOf } from '#core/mailbox/message-id.ts'
import type { MessageRow } from '#core/mailbox/message-store.ts'
import {
  type Attachment,
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
import type { Readings } from './readings.ts'
import type { RemoteContent } from './remote-content.ts'
import { type OpenBody, shownOf, type Summaries } from './summaries.ts'
import { untilPublished } from './wait-for-change.ts'

export interface MessageQuery {
  /**
   * Only messages that arrived after this one. Any id that is not of a message that the address has or had is
   * `invalid_request`.
   */
  after?: string | undefined
  /** Only messages that arrived before this one. Used for paging. */
  before?: string | undefined
  /** A part of the sender's name or address. Case-insensitive. */
  from?: string | undefined
  /** A part of the subject. Case-insensitive. */
  subject?: string | undefined
}

export interface MessagePage {
  messages: MessageSummary[]
  /** The id to pass as `before` for the next page. Null on the last page. */
  next: string | null
}

/** The changes of an inbox since a revision. `address` is undefined if the address is gone. */
export interface ChangesView {
  messages: { revision: number; summary: MessageSummary }[]
  deleted: { revision: number; id: string }[]
  address: AddressView | undefined
}

export interface Messages {
  list(open: OpenAddress, query: MessageQuery): Promise<MessagePage>
  /**
   * Like `list`, but if the page is empty, waits until a matching message arrives, `seconds` have passed or `signal`
   * aborts. Throws `unauthorized` if the address is deleted, expires or gets another secret.
   */
  wait(open: OpenAddress, query: MessageQuery, seconds: number, signal: AbortSignal): Promise<MessagePage>
  /** Returns the summary. Throws `message_not_found`. */
  find(open: OpenAddress, id: string): Promise<MessageSummary>
  /**
   * Returns the summary and the content. With `outline`, the content has only what a page needs that shows the message
   * in a frame. Throws `message_not_found` and, like every method that opens the raw message, `message_damaged`.
   */
  read(
    open: OpenAddress,
    id: string,
    options?: { outline?: boolean },
  ): Promise<{ summary: MessageSummary; content: MessageContent }>
  /**
   * Returns the document of the frame. `remote` allows remote content through the proxy. Throws `message_not_found`.
   */
  frame(open: OpenAddress, id: string, options: { view: 'html' | 'text'; remote: boolean }): Promise<Uint8Array>
  mark(open: OpenAddress, id: string, marks: Partial<Marks>): Promise<MessageSummary>
  remove(open: OpenAddress, id: string): Promise<void>
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

export interface MessagesDeps {
  store: Store
  addresses: Pick<Addresses, 'view' | 'holdsUntil'>
  summaries: Summaries
  reader: MailReader
  opener: Pick<Opener, 'openLarge'>
  readings: Readings
  remoteContent: Pick<RemoteContent, 'signer'>
  bus: EventBus
  clock: Clock
  /** The number of messages on a page. */
  pageSize: number
  /** The maximum number of messages to search for one filtered page. A page may therefore be incomplete. */
  scanMax: number
  /** The shortest retention of messages, in milliseconds. The store may know nothing of older messages. */
  minRetention: number
}

const summaryOf = (row: MessageRow, content: SummaryContent): MessageSummary => ({
  ...shownOf(content),
  id: row.id,
  receivedAt: row.receivedAt,
  size: row.size,
  ...marksOf(row),
})

const contains = (text: string, part: string | undefined): boolean =>
  part === undefined || text.toLowerCase().includes(part.toLowerCase())

export function createMessages(deps: MessagesDeps): Messages {
  const { store, summaries, bus, clock } = deps

  async function view(open: OpenAddress, row: MessageRow): Promise<MessageSummary | undefined> {
    const content = await summaries.of(open, row)
    return content && summaryOf(row, content)
  }

  async function rowOf(open: OpenAddress, id: string): Promise<MessageRow> {
    const row = isMessageId(id) ? await store.messages.find(open.row.id, id, clock()) : undefined
    if (!row) throw new MayflyError('message_not_found')
    return row
  }

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
    const { size } = await rowOf(open, id)
    return deps.readings.run(open.row.id, size, async () => {
      // The message may have changed or been deleted while this call waited.
      const row = await rowOf(open, id)
      const sealed = await store.messages.body(row)
      if (!sealed) throw new MayflyError('message_not_found')
      return work(row, await opened(open, row, sealed))
    })
  }

  /** Reads something that a message may lack. */
  const part = <T>(
    open: OpenAddress,
    id: string,
    work: (raw: Uint8Array, options: { reader: string }) => Promise<T | undefined>,
  ): Promise<T> =>
    withBody(open, id, async (_row, { raw }) => {
      const found = await work(raw, { reader: open.row.id })
      if (found === undefined) throw new MayflyError('attachment_not_found')
      return found
    })

  async function find(open: OpenAddress, id: string): Promise<MessageSummary> {
    const summary = await view(open, await rowOf(open, id))
    if (!summary) throw new MayflyError('message_not_found')
    return summary
  }

  async function list(open: OpenAddress, query: MessageQuery): Promise<MessagePage> {
    const messages: MessageSummary[] = []
    let before = query.before
    let scanned = 0
    for (;;) {
      // One more row than a page holds shows whether there is a next page.
      const rows = await store.messages.list(open.row.id, {
        now: clock(),
        limit: deps.pageSize + 1,
        before,
        after: query.after,
      })
      for (const row of rows) {
        if (messages.length === deps.pageSize || scanned === deps.scanMax) return { messages, next: before ?? null }
        const summary = await view(open, row)
        before = row.id
        scanned++
        if (!summary) continue
        const sender = `${summary.from.name} <${summary.from.address}>`
        if (contains(sender, query.from) && contains(summary.subject, query.subject)) messages.push(summary)
      }
      if (rows.length <= deps.pageSize) return { messages, next: null }
    }
  }

  /**
   * Throws `invalid_request` if the address never had the message `after`. A client that asks for messages newer than
   * its last one must not fail because that one is gone.
   */
  async function checkAfter({ row }: OpenAddress, after: string | undefined): Promise<void> {
    if (after === undefined) return
    if (isMessageId(after)) {
      const arrived = timeOf(after)
      const mayBeRemoved = arrived >= row.createdAt && arrived <= clock() - deps.minRetention
      if (mayBeRemoved || (await store.messages.knows(row.id, after))) return
    }
    throw new MayflyError('invalid_request', '`after` is not the id of a message that this address has or had')
  }

  return {
    async list(open, query) {
      await checkAfter(open, query.after)
      return list(open, query)
    },

    find,

    async wait(open, query, seconds, signal) {
      await checkAfter(open, query.after)
      const deadline = clock() + seconds * 1000
      // Messages already searched are skipped. Otherwise every new message would make the whole inbox be opened again.
      let after = query.after
      for (;;) {
        // Subscribe before reading the list, so that no message is missed in between.
        const wake = untilPublished(bus, open.row.id, deadline - clock(), signal)
        try {
          const [newest] = await store.messages.list(open.row.id, { now: clock(), limit: 1 })
          const page = await list(open, { ...query, after })
          if (newest && (after === undefined || newest.id > after)) after = newest.id
          if (page.messages.length > 0 || (await wake.reason) !== 'published') return page
        } finally {
          wake.cancel()
        }
        if ((await deps.addresses.holdsUntil(open)) <= clock()) throw new MayflyError('unauthorized')
      }
    },

    read: (open, id, options = {}) =>
      withBody(open, id, async (row, body) => {
        const summary = await summaries.whole(open, row, body)
        const content = await deps.reader.content(body.raw, { ...options, reader: open.row.id })
        summaries.authenticate(open, row, summary, body)
        return { summary: summaryOf(row, summary), content }
      }),

    async mark(open, id, marks) {
      await rowOf(open, id)
      if ((await store.messages.mark(open.row.id, id, marks)) === undefined) throw new MayflyError('message_not_found')
      bus.publish(open.row.id)
      return find(open, id)
    },

    async remove(open, id) {
      await rowOf(open, id)
      await store.messages.remove(open.row.id, id)
      bus.publish(open.row.id)
    },

    frame: (open, id, options) =>
      withBody(open, id, (_row, { raw }) => {
        const remote = options.remote ? deps.remoteContent.signer() : undefined
        return deps.reader.frame(raw, { view: options.view, remote, reader: open.row.id })
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

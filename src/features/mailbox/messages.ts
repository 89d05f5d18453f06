import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import { isMessageId, timeOf } from '#core/mailbox/message-id.ts'
import type { MessageRow } from '#core/mailbox/message-store.ts'
import type { Attachment, MessageContent, MessageSummary, SummaryContent } from '#core/mailbox/message.ts'
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
  /** Only messages that arrived after this one, which the address has or had: all else is `invalid_request`. */
  after?: string | undefined
  /** Only messages that arrived before this one (paging). */
  before?: string | undefined
  /** Case-insensitive parts of the sender (name or address) and of the subject. */
  from?: string | undefined
  subject?: string | undefined
}

export interface MessagePage {
  messages: MessageSummary[]
  /** The id to pass as `before` for the next page, null on the last one. */
  next: string | null
}

/** What a watcher missed since a revision. `address` is undefined where the address has ended. */
export interface ChangesView {
  messages: { revision: number; summary: MessageSummary }[]
  deleted: { revision: number; id: string }[]
  address: AddressView | undefined
}

export interface Messages {
  list(open: OpenAddress, query: MessageQuery): Promise<MessagePage>
  /** Like `list`, but an empty page is held back until a matching message is there, `seconds` are over or `signal` aborts. Throws `unauthorized` when the address ends. */
  wait(open: OpenAddress, query: MessageQuery, seconds: number, signal: AbortSignal): Promise<MessagePage>
  /** The summary; throws `message_not_found`. */
  find(open: OpenAddress, id: string): Promise<MessageSummary>
  /** Throws `message_not_found`, and, as all that opens the mail, `message_damaged`. `outline`: no more than a page needs that shows the mail in a frame. */
  read(
    open: OpenAddress,
    id: string,
    options?: { outline?: boolean },
  ): Promise<{ summary: MessageSummary; content: MessageContent }>
  /** The document of the frame. Throws `message_not_found`. `remote` allows remote content through the service's proxy. */
  frame(open: OpenAddress, id: string, options: { view: 'html' | 'text'; remote: boolean }): Promise<Uint8Array>
  setSeen(open: OpenAddress, id: string, seen: boolean): Promise<MessageSummary>
  remove(open: OpenAddress, id: string): Promise<void>
  /** The mail as received, with Return-Path and Received (RFC 5322). */
  raw(open: OpenAddress, id: string): Promise<Uint8Array>
  /** Throws `message_not_found`, `attachment_not_found`. */
  attachment(open: OpenAddress, id: string, index: number): Promise<Attachment>
  changes(open: OpenAddress, sinceRevision: number): Promise<ChangesView>
  /** Calls `listener` whenever the inbox may have changed; answers a function that ends it. */
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
  /** Messages on one page, and how many are looked through for a filter before the page is handed out as it is. */
  pageSize: number
  scanMax: number
  /** The shortest time for which messages are kept, in milliseconds: of older ones every trace may be gone. */
  minRetention: number
}

const summaryOf = ({ id, receivedAt, size, seen }: MessageRow, content: SummaryContent): MessageSummary => ({
  ...shownOf(content),
  id,
  receivedAt,
  size,
  seen,
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

  /** Opens a message and works on it when there is room for that. */
  async function withBody<T>(
    open: OpenAddress,
    id: string,
    work: (row: MessageRow, body: OpenBody) => Promise<T>,
  ): Promise<T> {
    const { size } = await rowOf(open, id)
    return deps.readings.run(open.row.id, size, async () => {
      // It may have changed, or gone, while it waited.
      const row = await rowOf(open, id)
      const sealed = await store.messages.body(row)
      if (!sealed) throw new MayflyError('message_not_found')
      return work(row, await opened(open, row, sealed))
    })
  }

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
      // One more than a page: whether there is a next one.
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

  /** A client that waits for what is newer than its last message must not fail because that one is gone. */
  async function checkAfter({ row }: OpenAddress, after: string | undefined): Promise<void> {
    if (after === undefined) return
    if (isMessageId(after)) {
      const arrived = timeOf(after)
      const mayBeForgotten = arrived >= row.createdAt && arrived <= clock() - deps.minRetention
      if (mayBeForgotten || (await store.messages.knows(row.id, after))) return
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
      // What was looked at need not be looked at again: an inbox of hundreds would be opened anew for each mail that comes.
      let after = query.after
      for (;;) {
        // Listening begins before the look, so that nothing slips in between.
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

    async setSeen(open, id, seen) {
      await rowOf(open, id)
      if ((await store.messages.setSeen(open.row.id, id, seen)) === undefined)
        throw new MayflyError('message_not_found')
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

    attachment: (open, id, index) =>
      withBody(open, id, async (_row, { raw }) => {
        const attachment = await deps.reader.attachment(raw, index, { reader: open.row.id })
        if (!attachment) throw new MayflyError('attachment_not_found')
        return attachment
      }),

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

import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import { isMessageId, timeOf } from '#core/mailbox/message-id.ts'
import type { MessageRow, MessageStore } from '#core/mailbox/message-store.ts'
import { HELD_MAX, type MessageSummary } from '#core/mailbox/message.ts'
import { type Clock, SECOND } from '#core/time.ts'
import type { OpenAddress } from './claims.ts'
import { type Condition, createMessageFilter, type MessageConditions, type TextSearch } from './message-filter.ts'
import { untilPublished } from './wait-for-change.ts'

interface MessageQuery extends MessageConditions {
  /**
   * Only messages that arrived after this one. Throws `invalid_request` for an id that no message of the address has or
   * had.
   */
  after?: string | undefined
  /** Only messages that arrived before this one. Used for paging. */
  before?: string | undefined
  /** Only messages that arrived at this time or later, in milliseconds. */
  since?: number | undefined
}

/** A message that arrived, and the conditions that it does not meet. */
export interface UnmetMessage {
  id: string
  from: MessageSummary['from']
  to: string
  subject: string
  receivedAt: number
  unmet: Condition[]
}

export interface MessagePage {
  messages: MessageSummary[]
  /** The id to pass as `before` for the next page. Null on the last page. */
  next: string | null
}

export interface WaitOptions {
  seconds: number
  /** How many matching messages to wait for. */
  count: number
  signal: AbortSignal
}

export interface WaitResult extends MessagePage {
  /** The newest messages that were searched and did not match. */
  unmet: UnmetMessage[]
  /** How long the wait could last. */
  seconds: number
}

export interface MessageSearch {
  /** A search in texts that takes too long, or whose `signal` aborts, returns a page that ends early. */
  list(open: OpenAddress, query: MessageQuery, signal?: AbortSignal): Promise<MessagePage>
  /**
   * Like `list`, but waits until `count` messages match, `seconds` (at most `HELD_MAX`) have passed or `signal` aborts.
   * Throws `unauthorized` if the address is deleted, expires or gets another secret.
   */
  wait(open: OpenAddress, query: MessageQuery, options: WaitOptions): Promise<WaitResult>
}

export interface MessageSearchDeps {
  messages: Pick<MessageStore, 'find' | 'list' | 'knows'>
  bus: EventBus
  clock: Clock
  /** Returns undefined if the message is gone. */
  summary(open: OpenAddress, row: MessageRow): Promise<MessageSummary | undefined>
  textSearch(open: OpenAddress, id: string): TextSearch
  /** When the address expires or has expired, in milliseconds. 0 if it is gone. */
  validUntil(open: OpenAddress): Promise<number>
  /** The number of messages on a page. */
  pageSize: number
  /** The maximum number of messages to search for one filtered page. A page may therefore be incomplete. */
  scanMax: number
  /** The shortest retention of messages, in milliseconds. The store may know nothing of older messages. */
  minRetention: number
}

const UNMET_MAX = 20

/** A message that matches. */
interface Match {
  row: MessageRow
  summary: MessageSummary
}

interface SearchResult {
  matches: Match[]
  next: string | null
  /** Whether the search ended before it had looked at all messages. */
  cut: boolean
}

interface SearchOptions {
  /** Ends the search after this number of matches. */
  limit?: number
  /** Whether nobody waits for the result any longer. */
  aborted?: () => boolean
  /** Whether there is no time left to read further texts. */
  isLate?: () => boolean
  /** Called for each message that was searched and does not match. */
  onUnmet?: (summary: MessageSummary, unmet: Condition[]) => void
}

const never = (): boolean => false

/**
 * A wait looks for messages this often, and at its end, in milliseconds: some are announced late, or never, because their
 * node died after storing them.
 */
const LOOK_AGAIN = 25 * SECOND

/** How long a list, or a wait of no time, searches texts, in milliseconds. */
export const TEXTS_TIME = 20 * SECOND

export function createMessageSearch(deps: MessageSearchDeps): MessageSearch {
  const { messages: store, bus, clock } = deps

  async function search(
    open: OpenAddress,
    { since = -Infinity, after, ...query }: MessageQuery,
    { limit = deps.pageSize, aborted = never, isLate = never, onUnmet }: SearchOptions = {},
  ): Promise<SearchResult> {
    const filter = createMessageFilter(query)
    const matches: Match[] = []
    let before = query.before
    let scanned = 0
    const result = (next: string | null, cut = false): SearchResult => ({ matches, next, cut })
    for (;;) {
      // One more row than a page holds shows whether there is a next page.
      const rows = await store.list(open.row.id, { now: clock(), limit: deps.pageSize + 1, before, after })
      for (const row of rows) {
        // The id has the time when the message was complete, `receivedAt` that when its transfer began, which may have
        // been long before that of earlier rows.
        if (timeOf(row.id) < since) return result(null)
        if (matches.length === limit || scanned === deps.scanMax || filter.isSpent()) return result(before ?? null)
        if (aborted() || (readsTexts(query) && scanned > 0 && isLate())) return result(before ?? null, true)
        const summary = row.receivedAt < since ? undefined : await deps.summary(open, row)
        before = row.id
        scanned++
        if (!summary) continue
        const unmet = await filter.unmet(summary, deps.textSearch(open, row.id))
        if (unmet.length === 0) matches.push({ row, summary })
        else onUnmet?.(summary, unmet)
      }
      if (rows.length <= deps.pageSize) return result(null)
    }
  }

  /** Reads the matches of earlier searches again. Removes those whose message was deleted meanwhile. */
  async function refresh(open: OpenAddress, found: Map<string, Match>): Promise<void> {
    for (const id of found.keys()) {
      const row = await store.find(open.row.id, id, clock())
      const summary = row && (await deps.summary(open, row))
      if (summary) found.set(id, { row, summary })
      else found.delete(id)
    }
  }

  /** Returns the newest `size` matches. `next`: where the next page begins if all of them are on this one. */
  function pageOf(found: ReadonlyMap<string, Match>, size: number, next: string | null): MessagePage {
    const newest = [...found.values()].toSorted((a, b) => (a.row.id < b.row.id ? 1 : -1))
    const messages = newest.slice(0, size).map(({ summary }) => summary)
    return { messages, next: newest.length > messages.length ? (messages.at(-1)?.id ?? next) : next }
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
      if (mayBeRemoved || (await store.knows(row.id, after))) return
    }
    throw new MayflyError('invalid_request', '`after` is not the id of a message that this address has or had')
  }

  return {
    async list(open, query, signal) {
      await checkAfter(open, query.after)
      const deadline = clock() + TEXTS_TIME
      const options = { aborted: () => signal?.aborted ?? false, isLate: () => clock() >= deadline }
      const { matches, next } = await search(open, query, options)
      return { messages: matches.map(({ summary }) => summary), next }
    },

    async wait(open, query, { seconds: asked, count, signal }) {
      await checkAfter(open, query.after)
      const seconds = Math.min(asked, HELD_MAX)
      const deadline = clock() + seconds * 1000
      // Without a time to wait, texts are searched as long as in a list.
      const textsUntil = seconds > 0 ? deadline : deadline + TEXTS_TIME
      const unmet = new Map<string, UnmetMessage>()
      const options: SearchOptions = {
        aborted: () => signal.aborted,
        isLate: () => clock() >= textsUntil,
        onUnmet({ id, from, to, subject, receivedAt }, conditions) {
          unmet.set(id, { id, from, to, subject, receivedAt, unmet: conditions })
        },
      }
      const pageSize = Math.max(deps.pageSize, count)
      const found = new Map<string, Match>()
      let next: string | null = null
      // Messages already searched are skipped. Otherwise every new message would make the whole inbox be opened again.
      let after = query.after
      let isLast = seconds === 0
      for (;;) {
        const left = deadline - clock()
        // Subscribe before reading the list, so that no message is missed in between.
        const wake = untilPublished(bus, open.row.id, Math.min(left, LOOK_AGAIN), signal)
        try {
          await refresh(open, found)
          const [newest] = await store.list(open.row.id, { now: clock(), limit: 1 })
          // Texts take long to search, so enough matches end the search.
          const limit = readsTexts(query) ? count - found.size : pageSize
          const page = await search(open, { ...query, after }, { ...options, limit })
          for (const match of page.matches) found.set(match.row.id, match)
          // Later rounds search only new messages. Unless they end early, the next page starts where the first one ended.
          next = page.next ?? next
          if (newest && (after === undefined || newest.id > after)) after = newest.id
          if (found.size >= count || page.cut || isLast)
            return { ...pageOf(found, pageSize, next), unmet: newestOf(unmet), seconds }
          const reason = await wake.reason
          isLast = reason === 'aborted' || (reason === 'time' && left <= LOOK_AGAIN)
        } finally {
          wake.cancel()
        }
        if ((await deps.validUntil(open)) <= clock()) throw new MayflyError('unauthorized')
      }
    },
  }
}

const readsTexts = ({ body, words }: MessageConditions): boolean => body !== undefined || words !== undefined

const newestOf = (unmet: ReadonlyMap<string, UnmetMessage>): UnmetMessage[] =>
  [...unmet.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, UNMET_MAX)

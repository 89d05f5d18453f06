import type { MessageSummaryJson } from '#contract/messages.ts'
import type { SealedMessageJson, SealedMessageListJson } from '#contract/private-addresses.ts'
import type { BoxPlace } from '#core/mailbox/box.ts'
import { authenticationPending, NOT_CHECKED, recipientsOf, type SummaryContent } from '#core/mailbox/message.ts'
import { MINUTE } from '#core/time.ts'
import { fromBase64, fromUtf8, toUtf8 } from '#mail/bytes.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { type PageProblem, problemOf } from '../api/api.ts'
import { type untilNextTry, withRetries } from '../api/retries.ts'
import type { InboxEvent } from '../hooks/inbox-state.ts'
import { open, seal } from './box.ts'
import type { PrivateKeys } from './keys.ts'
import type { PrivateReader } from './mail-reader.ts'
import { newestFirst } from './newest-first.ts'
import type { PrivateApi } from './private-api.ts'
import { openDeliveries, type PrivateMessage } from './private-deliveries.ts'
import type { ReadJob, ReadResults, ReadSummary } from './read-job.ts'

type Bytes = Uint8Array<ArrayBuffer>
/** A stored summary. Until the browser has read the message it contains only the server's sender checks and the origin. */
type StoredSummary = Partial<SummaryContent>

interface PrivateInboxDeps {
  /** Id of the address. */
  id: string
  keys: PrivateKeys
  reader: PrivateReader
  api: Pick<PrivateApi, 'messages' | 'body' | 'deliveries' | 'keepSummary' | 'changes'>
  dispatch: (event: InboxEvent) => void
  /** The server's time as estimated by this browser, in milliseconds since the epoch. */
  serverNow: () => number
  wait: typeof untilNextTry
  /** Called with why a message of the list can't be read yet; null if all others can. */
  onProblem: (problem: PageProblem | null) => void
  /** Called with the number of messages that are being opened, or wait for it. */
  onOpening: (count: number) => void
}

/**
 * Milliseconds after arrival in which the server may still add the results of its sender checks. They would be lost if
 * the browser stored its summary earlier.
 */
const CHECKED_AFTER = MINUTE
/** The API accepts eight calls per second from one visitor. This pace leaves most of them for the visitor's actions. */
const PACE = { burst: 3, pause: 500 }

/** How many characters of a text are kept for the search. */
const TEXT_SEARCHED = 100_000

/** The inbox of a fully private address. Opens the sealed messages and dispatches their summaries. */
export function createPrivateInbox(deps: PrivateInboxDeps) {
  const { id, keys, reader, api, dispatch, serverNow, onProblem } = deps
  const closed = new AbortController()
  const { signal } = closed
  /** Ends the pauses before the next tries. */
  let retry = new AbortController()
  const wait: typeof untilNextTry = (milliseconds, ended, limit) =>
    deps.wait(milliseconds, AbortSignal.any([ended, retry.signal]), limit)
  /** The latest version of each message. Results for an earlier version are dropped. */
  const latest = new Map<string, SealedMessageJson>()
  /** The messages that were deleted. A list that was on its way may still have them. */
  const forgotten = new Set<string>()
  const summaries = new Map<string, Promise<ReadSummary>>()
  /** The texts of the messages that were read, for the search. */
  const texts = new Map<string, string>()
  const enqueue = newestFirst(PACE)
  /** Cursor of the older messages; null if all are loaded. */
  let next: string | null = null
  const opening = new Set<string>()
  /** The messages that can't be read yet. */
  const unread = new Map<string, PageProblem>()
  let failed = Promise.withResolvers<void>()
  /** The body that was fetched last. An open message is often read several times: content, attachments, source. */
  let last: { message: string; body: Promise<Bytes> } | undefined

  const placeOf = (kind: 'body' | 'summary', message: string): BoxPlace =>
    messagePlace(kind, { addressId: id, id: message })

  function bodyOf(message: string): Promise<Bytes> {
    if (last?.message !== message) last = { message, body: api.body(id, message) }
    const { body } = last
    body.catch(() => {
      if (last?.body === body) last = undefined
    })
    return body
  }

  const run = async <Kind extends ReadJob['kind']>(
    message: string,
    job: Extract<ReadJob, { kind: Kind }>,
  ): Promise<ReadResults[Kind]> => reader.run(job, placeOf('body', message), await bodyOf(message))

  function keepText<T extends { text: string | null }>(message: string, result: T): T {
    if (result.text !== null) texts.set(message, result.text.slice(0, TEXT_SEARCHED))
    return result
  }

  function setUnread(message: string, problem?: PageProblem): void {
    if (signal.aborted) return
    if (problem && latest.has(message)) unread.set(message, problem)
    else if (!unread.delete(message)) return
    onProblem([...unread.values()].at(-1) ?? null)
    if (!problem) return
    failed.resolve()
    failed = Promise.withResolvers()
  }

  function setOpening(message: string, is: boolean): void {
    if (signal.aborted) return
    if (is) opening.add(message)
    else opening.delete(message)
    deps.onOpening(opening.size)
  }

  /** Reads a message when it is its turn. */
  const read = (message: string): Promise<ReadSummary> =>
    enqueue(message, async () => {
      signal.throwIfAborted()
      return keepText(message, await run(message, { kind: 'summarize' }))
    })

  /** The stored summary of a message. Empty if it cannot be opened, so that the message is read again. */
  async function storedSummaryOf({ id: message, summary }: SealedMessageJson): Promise<StoredSummary> {
    if (summary === null) return {}
    try {
      return JSON.parse(toUtf8(await open(keys, placeOf('summary', message), fromBase64(summary)))) as StoredSummary
    } catch {
      return {}
    }
  }

  function summarize(message: string): Promise<ReadSummary> {
    const known = summaries.get(message)
    if (known) return known
    // Each try waits for its turn again, so that a message that can't be read yet doesn't keep the others.
    const made = withRetries(() => read(message), { signal, wait, onFailure: (why) => setUnread(message, why) })
    summaries.set(message, made)
    made.then(
      () => setUnread(message),
      (error: unknown) => {
        summaries.delete(message)
        const why = problemOf(error)
        if (why.code !== 'message_not_found') return setUnread(message, why)
        forget(message)
        dispatch({ type: 'deleted', id: message })
      },
    )
    return made
  }

  async function summaryOf(message: SealedMessageJson): Promise<SummaryContent> {
    const stored = await storedSummaryOf(message)
    // Old stored summaries have no candidates.
    if (stored.subject !== undefined) return { candidates: [], ...(stored as Omit<SummaryContent, 'candidates'>) }
    const { summary: made, authorIsCertain } = await summarize(message.id)
    const late = serverNow() - Date.parse(message.receivedAt) > CHECKED_AFTER
    const checked = stored.authentication ?? (late ? NOT_CHECKED : authenticationPending)
    const authentication =
      authorIsCertain || checked.dmarc !== 'pass' ? checked : { ...checked, dmarc: 'none' as const }
    const summary = { ...made, authentication, ...(stored.origin && { origin: stored.origin }) }
    if (checked !== authenticationPending) void storeSummary(message.id, summary)
    return summary
  }

  /** Stores a summary. If that fails, the next visit reads the message again. */
  async function storeSummary(message: string, summary: SummaryContent): Promise<void> {
    const sealed = await seal(keys.publicKey, placeOf('summary', message), fromUtf8(JSON.stringify(summary)))
    await withRetries(() => api.keepSummary(id, message, sealed), { signal, wait }).catch(() => {})
    summaries.delete(message)
  }

  /** The opened summary of a message; undefined if the message is gone or a later version has arrived meanwhile. */
  async function openSummary(message: SealedMessageJson): Promise<MessageSummaryJson | undefined> {
    latest.set(message.id, message)
    setOpening(message.id, true)
    try {
      const summary = await summaryOf(message)
      if (signal.aborted || latest.get(message.id) !== message) return undefined
      const { summary: _sealed, ...known } = message
      return { ...summary, recipients: recipientsOf(summary), ...known }
    } catch {
      return undefined
    } finally {
      if (latest.get(message.id) === message) setOpening(message.id, false)
    }
  }

  async function show({ messages, ...page }: SealedMessageListJson): Promise<void> {
    next = page.next
    dispatch({ type: 'older', page: { messages: [], next } })
    const there = messages.filter((message) => !forgotten.has(message.id))
    const shown = there.map(async (message) => {
      // The stream reports changes that a list on its way doesn't have.
      const summary = await openSummary(latest.get(message.id) ?? message)
      if (summary) dispatch({ type: 'older', page: { messages: [summary], next } })
    })
    // What can't be read yet comes later. Older batches don't wait for it.
    await Promise.race([Promise.all(shown), failed.promise])
  }

  /** Drops all results for a message that was deleted. */
  function forget(message: string): void {
    forgotten.add(message)
    latest.delete(message)
    summaries.delete(message)
    texts.delete(message)
    setUnread(message)
    setOpening(message, false)
  }

  async function take(message: SealedMessageJson): Promise<void> {
    const summary = await openSummary(message)
    if (summary) dispatch({ type: 'message', message: summary })
  }

  const changes = api.changes(id)

  return {
    ...changes,

    /** Shows a batch of the list; the newest one without `before`. */
    load: async (before?: string): Promise<void> => show(await api.messages(id, before)),

    /** Adds or updates a message. */
    take,

    /** Reads a message again that could not be read. Returns when it is shown or has failed again. */
    async again(message: string): Promise<void> {
      const sealed = latest.get(message)
      if (!sealed) return
      const failure = failed.promise
      retry.abort()
      retry = new AbortController()
      await Promise.race([take(sealed), failure])
    },

    forget,

    /** Whether a message is in the loaded batches, even if it can't be shown yet. */
    isListed: (message: string): boolean => latest.has(message),

    async removeAll(messages: readonly string[], keepalive: boolean): Promise<void> {
      await changes.removeAll(messages, keepalive)
      for (const message of messages) forget(message)
    },

    /** Returns the deliveries; the received ones are those of `messages`. */
    deliveries: async (messages: readonly PrivateMessage[]) =>
      openDeliveries(id, keys, await api.deliveries(id), messages),

    /** The text of a message that was read since the inbox was opened. */
    textOf: (message: string): string | undefined => texts.get(message),

    content: async (message: string, proxied: ReadonlyMap<string, string>) =>
      keepText(message, await run(message, { kind: 'content', proxied })),
    attachment: (message: string, index: number) => run(message, { kind: 'attachment', index }),
    image: (message: string, index: number) => run(message, { kind: 'image', index }),
    archive: (message: string) => run(message, { kind: 'archive' }),
    source: (message: string) => run(message, { kind: 'source' }),

    close(): void {
      closed.abort()
      reader.close()
    },
  }
}

export type PrivateInbox = ReturnType<typeof createPrivateInbox>

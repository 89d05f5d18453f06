import type { MessageSummaryJson } from '#contract/messages.ts'
import type { SealedMessageJson, SealedMessageListJson } from '#contract/private-addresses.ts'
import type { BoxPlace } from '#core/mailbox/box.ts'
import { type Authentication, authenticationPending, type SummaryContent } from '#core/mailbox/message.ts'
import { fromBase64, fromUtf8, toUtf8 } from '#mail/bytes.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { ApiError, problemOf } from '../api/api.ts'
import type { InboxEvent } from '../hooks/inbox-state.ts'
import { open, seal } from './box.ts'
import type { PrivateKeys } from './keys.ts'
import type { PrivateReader } from './mail-reader.ts'
import { newestFirst } from './newest-first.ts'
import type { PrivateApi } from './private-api.ts'
import type { ReadJob, ReadResults } from './read-job.ts'

type Bytes = Uint8Array<ArrayBuffer>
/** What the server knows is sealed like the rest: who vouches for the sender. */
type Kept = Partial<SummaryContent>

export interface PrivateInboxDeps {
  /** Of the address. */
  id: string
  keys: PrivateKeys
  reader: PrivateReader
  api: Pick<PrivateApi, 'messages' | 'body' | 'keepSummary'>
  dispatch: (event: InboxEvent) => void
  /** The server's clock, as far as it is known here: milliseconds since the epoch. */
  serverNow: () => number
  wait: (milliseconds: number) => Promise<void>
}

/** For so long after a mail came the server may still say who vouches for its sender; what is kept before would be lost. */
const CHECKED_AFTER = 60_000
const UNCHECKED: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }
/** The API takes eight calls a second from one visitor, and what the visitor does comes first. */
const PACE = { burst: 3, pause: 500 }
const RETRY = 1000
const LONGEST_RETRY = 30_000

/** The inbox of a fully private address: takes what the server has of it, sealed, and tells what it says. */
export function createPrivateInbox({ id, keys, reader, api, dispatch, serverNow, wait }: PrivateInboxDeps) {
  let closed = false
  /** Messages as they were told last; what is made of an earlier word is dropped. */
  const told = new Map<string, SealedMessageJson>()
  const making = new Map<string, Promise<SummaryContent>>()
  const inTurn = newestFirst({ ...PACE, wait })
  /** Where the older messages begin; null when all are here. */
  let next: string | null = null
  /** The body that was fetched last: a mail that is opened is often read in several ways. */
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

  /** Does what has nobody waiting for it, again and again where it is only a matter of time. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let pause = RETRY; ; pause = Math.min(2 * pause, LONGEST_RETRY)) {
      try {
        return await work()
      } catch (error) {
        const { code, retryAfter } = problemOf(error)
        const passing = error instanceof ApiError && ['offline', 'too_many_requests', 'unavailable'].includes(code)
        if (!passing || closed) throw error
        await wait(retryAfter === undefined ? pause : retryAfter * 1000)
      }
    }
  }

  /** What is kept of a message; nothing where it does not open, so that it is made anew. */
  async function keptOf({ id: message, summary }: SealedMessageJson): Promise<Kept> {
    if (summary === null) return {}
    try {
      return JSON.parse(toUtf8(await open(keys, placeOf('summary', message), fromBase64(summary)))) as Kept
    } catch {
      return {}
    }
  }

  function make(message: string): Promise<SummaryContent> {
    const known = making.get(message)
    if (known) return known
    const made = inTurn(message, () => patiently(() => run(message, { kind: 'summarize' })))
    making.set(message, made)
    made.catch(() => making.delete(message))
    return made
  }

  async function summaryOf(message: SealedMessageJson): Promise<SummaryContent> {
    const kept = await keptOf(message)
    if (kept.subject !== undefined) return kept as SummaryContent
    const made = await make(message.id)
    const late = serverNow() - Date.parse(message.receivedAt) > CHECKED_AFTER
    const authentication = kept.authentication ?? (late ? UNCHECKED : authenticationPending)
    const summary = { ...made, authentication }
    if (authentication !== authenticationPending) void keep(message.id, summary)
    return summary
  }

  /** A summary that is not kept is made again at the next visit. */
  async function keep(message: string, summary: SummaryContent): Promise<void> {
    const sealed = await seal(keys.publicKey, placeOf('summary', message), fromUtf8(JSON.stringify(summary)))
    await patiently(() => api.keepSummary(id, message, sealed)).catch(() => {})
    making.delete(message)
  }

  /** What a message says; undefined where it is gone, or was told of anew meanwhile. */
  async function opened(message: SealedMessageJson): Promise<MessageSummaryJson | undefined> {
    told.set(message.id, message)
    try {
      const summary = await summaryOf(message)
      if (closed || told.get(message.id) !== message) return undefined
      const { receivedAt, size, seen } = message
      return { ...summary, id: message.id, receivedAt, size, seen }
    } catch {
      return undefined
    }
  }

  async function show({ messages, ...page }: SealedMessageListJson): Promise<void> {
    next = page.next
    dispatch({ type: 'older', page: { messages: [], next } })
    const each = messages.map(async (message) => {
      const summary = await opened(message)
      if (summary) dispatch({ type: 'older', page: { messages: [summary], next } })
    })
    await Promise.all(each)
  }

  return {
    /** Shows a page of the list, the first one without `before`. */
    load: async (before?: string): Promise<void> => show(await api.messages(id, before)),

    /** Takes a message that is new or has changed. */
    async take(message: SealedMessageJson): Promise<void> {
      const summary = await opened(message)
      if (summary) dispatch({ type: 'message', message: summary })
    },

    drop(message: string): void {
      told.delete(message)
      making.delete(message)
      dispatch({ type: 'deleted', id: message })
    },

    content: (message: string, proxied: ReadonlyMap<string, string>) => run(message, { kind: 'content', proxied }),
    attachment: (message: string, index: number) => run(message, { kind: 'attachment', index }),
    source: (message: string) => run(message, { kind: 'source' }),

    close(): void {
      closed = true
      reader.close()
    },
  }
}

export type PrivateInbox = ReturnType<typeof createPrivateInbox>

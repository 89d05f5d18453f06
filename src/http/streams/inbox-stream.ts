import type { FastifyReply, FastifyRequest } from 'fastify'
import { countsAsVisit } from '../auth/auth.ts'
import type { Grant } from '../auth/guard.ts'
import type { RouteContext } from '../context.ts'
import { answerStream, type GuardedStream, inRounds } from './stream.ts'

/** An inbox as seen by a stream. */
export interface FollowedInbox {
  /** Its revision when the stream began. */
  revision: number
  /** Counts as a visit of the owner. */
  visit(): Promise<unknown>
  watch(wake: () => void): () => void
  /** Calls `wake` when a failed delivery was stored. Default: such deliveries are not reported. */
  watchDeliveries?(wake: () => void): () => void
  /** Returns the changes since a revision, or undefined if the address is gone. */
  changes(since: number): Promise<InboxNews | undefined>
  /** Returns a text that changes with all that `changes` reads. Undefined, the default: no text covers all of it. */
  version?(): Promise<string | undefined>
  /**
   * Changes an event, or drops it by returning undefined. Default: the event with its name and data. `note`: digits that
   * the client returns when it reconnects.
   */
  shape?(event: string, data: object): { event?: string; data: object; note?: string } | undefined
}

interface InboxNews {
  messages: { revision: number; data: object }[]
  deleted: { revision: number; id: string }[]
  address: object
}

/**
 * Returns the revision that the client has seen: `Last-Event-ID`, which browsers send when they reconnect. A revision
 * that the inbox has not reached is ignored, because the client would wait for it forever.
 */
export function lastSeen(request: FastifyRequest): number | undefined {
  const [, revision] = lastEvent(request)
  return revision === undefined ? undefined : Number(revision)
}

/** Returns the note of the last event that the client has seen. */
export const lastNote = (request: FastifyRequest): string | undefined => lastEvent(request)[2]

/** The id of an event is its revision, with its note as a fraction, so that it is a number for every client. */
const eventId = (revision: number, note = ''): string => (note === '' ? String(revision) : `${revision}.${note}`)
const EVENT_ID = /^(\d{1,15})(?:\.(\d{1,100}))?$/

function lastEvent({ headers, query }: FastifyRequest): readonly (string | undefined)[] {
  // A route takes one of the parameters: that of this API, or that of Mercure.
  const { lastEventId, lastEventID } = query as { lastEventId?: string; lastEventID?: string }
  return EVENT_ID.exec(String(headers['last-event-id'] ?? lastEventId ?? lastEventID ?? '')) ?? []
}

/**
 * Responds with an event stream of an inbox until the address is gone, either side closes, or as `answerStream`. It
 * counts as a visit every now and then, unless the request does not.
 */
export function answerInbox(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  grant: Grant,
  inbox: FollowedInbox,
  how?: Parameters<typeof answerStream>[5],
): Promise<void> {
  const follow = async (stream: GuardedStream): Promise<void> => {
    const visit = (): void => void inbox.visit().catch(() => {})
    const visits = countsAsVisit(request) ? setInterval(visit, context.options.streamVisitInterval) : undefined
    await followInbox(stream, inbox, lastSeen(request), context).finally(() => clearInterval(visits))
  }
  return answerStream(context, request, reply, grant, follow, how)
}

/**
 * Writes the changes since the last sent revision whenever the inbox changes. New and missed changes are handled in the
 * same way, so a reconnect misses nothing. Ends when the address is gone or either side closes.
 */
function followInbox(
  stream: GuardedStream,
  inbox: FollowedInbox,
  since: number | undefined,
  context: RouteContext,
): Promise<void> {
  let revision = since === undefined || since > inbox.revision ? inbox.revision : since
  let shown = ''
  /** Whether there are failed deliveries that the client does not know of. It reads the list itself. */
  let hasDeliveries = false
  return inRounds(stream, context, {
    watch(wake) {
      const stops = [inbox.watch(wake), inbox.watchDeliveries?.(() => void ((hasDeliveries = true), wake()))]
      return () => stops.forEach((stop) => stop?.())
    },
    version: inbox.version?.bind(inbox),
    async read() {
      const news = await inbox.changes(revision)
      return news && (() => tell(news))
    },
  })

  async function send(name: string, content: object): Promise<void> {
    const shaped = inbox.shape ? inbox.shape(name, content) : { event: name, data: content, note: '' }
    if (!shaped) return
    stream.send(shaped.event, eventId(revision, shaped.note), shaped.data)
    await stream.flushed()
  }

  async function tell(news: InboxNews): Promise<void> {
    const events = [
      ...news.messages.map(({ revision: id, data }) => ({ id, event: 'message', data })),
      ...news.deleted.map(({ revision: id, id: message }) => ({ id, event: 'deleted', data: { id: message } })),
    ].toSorted((a, b) => a.id - b.id)
    for (const { id, event, data } of events) {
      revision = Math.max(revision, id)
      await send(event, data)
    }
    if (hasDeliveries) stream.send('deliveries', eventId(revision), {})
    hasDeliveries = false
    const text = JSON.stringify(news.address)
    if (text !== shown) await send('address', news.address)
    shown = text
  }
}

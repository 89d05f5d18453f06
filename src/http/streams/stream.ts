import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Grant, type Guard, guard } from '../auth/guard.ts'
import type { RouteContext } from '../context.ts'
import { enterOrThrow } from '../limits/held.ts'
import { beginStream, type EventStream } from './sse.ts'

/**
 * Responds with an event stream until `write` returns or the request loses its access: signed out, secret replaced, API
 * key revoked. The last event is `end` then, unless `saysEnd` is false, for clients that don't know it. Throws
 * `too_many_requests` if too many streams are open. HEAD gets the headers only.
 */
export async function answerStream(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  grant: Grant,
  write: (stream: GuardedStream) => Promise<void>,
  { saysEnd = true } = {},
): Promise<void> {
  const { deps, options, streams, keys } = context
  if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
  const leave = enterOrThrow(context, request, reply)
  deps.metrics.gauge('http_streams_open', streams.total)
  reply.hijack()
  const stream = beginStream(reply.raw, headersOf(reply), options.streamBufferBytes)
  const end = saysEnd ? stream.end : stream.close
  const guarded = guard([grant, ...keys.grants(request)], deps)
  guarded.signal.addEventListener('abort', end)
  try {
    await write({ ...stream, end, over: guarded.signal, holds: guarded.holds })
  } catch (error) {
    deps.logger.warn({ err: error }, 'event stream failed')
  } finally {
    guarded.stop()
    stream.close()
    leave()
    deps.metrics.gauge('http_streams_open', streams.total)
  }
}

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))

/** A stream that ends when the request loses its access. */
export interface GuardedStream extends EventStream, Pick<Guard, 'holds'> {
  /** Aborts when the request loses its access. */
  readonly over: AbortSignal
}

/** What a stream reads, and how it is notified of changes. */
interface Watched {
  /** Calls `wake` when there may be something new. Returns a function that ends it. */
  watch(wake: () => void): () => void
  /** Reads. Returns a function that sends the news, or undefined if no more will follow. */
  read(): Promise<(() => Promise<void> | void) | undefined>
  /**
   * Returns a text that changes with all that `read` reads, for far less work. Undefined, the default: no text covers all
   * of it.
   */
  version?: (() => Promise<string | undefined>) | undefined
}

/**
 * Reads whenever it is notified, until everything is sent or either side closes. Also reads with a heartbeat, because a
 * node that died between storing a message and announcing it has notified nobody. A heartbeat does not read if the
 * version is the same as with the previous one.
 */
export async function inRounds(
  stream: GuardedStream,
  { heartbeats, stopping }: Pick<RouteContext, 'heartbeats' | 'stopping'>,
  { watch, read, version }: Watched,
): Promise<void> {
  let woken = Promise.withResolvers<void>()
  const wake = (): void => woken.resolve()
  const stopWatching = watch(wake)
  let seen: string | undefined
  /** If the check fails, the stream reads. If that fails too, it ends. */
  async function wakeIfChanged(): Promise<void> {
    if (!version) return wake()
    // If the access has ended, `holds` ends the stream.
    const [now] = await Promise.all([version(), stream.holds()])
    if (now === undefined || now !== seen) wake()
    seen = now
  }
  // Without `AbortSignal.any`, which takes 1 KB for each stream.
  const ends = [stream.closed, stream.over]
  const hasEnded = (): boolean => stopping.aborted || ends.some(({ aborted }) => aborted)
  const leave = heartbeats.join(() => {
    if (hasEnded()) return wake()
    stream.comment()
    wakeIfChanged().catch(wake)
  })
  // Not on `stopping`, which all streams share: removing one of thousands of listeners searches through them. When the
  // program stops, it calls all heartbeats.
  for (const end of ends) end.addEventListener('abort', wake)
  try {
    while (!hasEnded()) {
      // Registered before the read, so that a change during it starts the next round.
      woken = Promise.withResolvers<void>()
      const tell = await read()
      // Checked after the read, because it may contain what came after the access ended.
      if (!tell) return stream.end()
      if (!(await stream.holds())) return
      await tell()
      if (!hasEnded()) await woken.promise
    }
  } finally {
    for (const end of ends) end.removeEventListener('abort', wake)
    leave()
    stopWatching()
  }
}

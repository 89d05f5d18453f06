import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Grant, type Guard, guard } from '../auth/guard.ts'
import type { RouteContext } from '../context.ts'
import { enterOrThrow } from '../limits/limits.ts'
import { beginStream, type EventStream } from './sse.ts'

/**
 * Answers with an event stream until `write` is through, or nothing lets the request go on any more: signed out, the secret
 * replaced, the API key revoked. Throws `too_many_requests` where there is no place for another one; a HEAD gets the headers alone.
 */
export async function answerStream(
  { deps, options, streams, keys }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  grant: Grant,
  write: (stream: GuardedStream) => Promise<void>,
): Promise<void> {
  if (request.method === 'HEAD') return void reply.type('text/event-stream; charset=utf-8').send()
  const leave = enterOrThrow(streams, request, reply)
  deps.metrics.gauge('http_streams_open', streams.total)
  reply.hijack()
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
  const stream = beginStream(reply.raw, headers, options.streamBufferBytes)
  const guarded = guard([grant, ...keys.grants(request)], deps)
  guarded.signal.addEventListener('abort', () => stream.close())
  try {
    await write({ ...stream, over: guarded.signal, holds: guarded.holds })
  } catch (error) {
    deps.logger.warn({ err: error }, 'event stream failed')
  } finally {
    guarded.stop()
    stream.close()
    leave()
    deps.metrics.gauge('http_streams_open', streams.total)
  }
}

/** A stream that ends when the request may not go on. */
export interface GuardedStream extends EventStream, Pick<Guard, 'holds'> {
  /** Aborts then. */
  readonly over: AbortSignal
}

/** What a stream looks at, and how it hears that it should. */
export interface Watched {
  /** Calls `wake` when there may be something new; answers a function that ends it. */
  watch(wake: () => void): () => void
  /** Looks; answers what tells the news, undefined where there will never be anything more. */
  look(): Promise<(() => Promise<void> | void) | undefined>
}

/** Looks again whenever it is woken, and with every sign of life, until all is told or either side closes. */
export async function inRounds(
  stream: GuardedStream,
  { options, stopping }: Pick<RouteContext, 'options' | 'stopping'>,
  { watch, look }: Watched,
): Promise<void> {
  let woken = Promise.withResolvers<void>()
  const wake = (): void => woken.resolve()
  const stopWatching = watch(wake)
  const keepAlive = setInterval(() => {
    stream.comment()
    // And looks: a node that died between storing a mail and telling of it told nobody.
    wake()
  }, options.streamKeepAlive)
  const ended = AbortSignal.any([stream.closed, stream.over, stopping])
  ended.addEventListener('abort', wake)
  try {
    while (!ended.aborted) {
      // Armed before the look, so that a change during it wakes the next round.
      woken = Promise.withResolvers<void>()
      // With what a replaced secret opened, nothing new could be read.
      if (!(await stream.holds())) return
      const tell = await look()
      // Asked after the look: what came behind the end of the access was in it.
      if (!tell || !(await stream.holds())) return
      await tell()
      if (!ended.aborted) await woken.promise
    }
  } finally {
    ended.removeEventListener('abort', wake)
    clearInterval(keepAlive)
    stopWatching()
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteContext } from './context.ts'
import { enterOrThrow } from './limits.ts'
import { beginStream, type EventStream } from './sse.ts'

/**
 * Answers with an event stream until `write` is through. Throws `too_many_requests` where there is no place for another one; a
 * HEAD gets the headers alone.
 */
export async function answerStream(
  { deps, options, streams }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  write: (stream: EventStream) => Promise<void>,
): Promise<void> {
  if (request.method === 'HEAD') return void reply.type('text/event-stream; charset=utf-8').send()
  const leave = enterOrThrow(streams, request, reply)
  deps.metrics.gauge('http_streams_open', streams.total)
  reply.hijack()
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
  const stream = beginStream(reply.raw, headers, options.streamBufferBytes)
  try {
    await write(stream)
  } catch (error) {
    deps.logger.warn({ err: error }, 'event stream failed')
  } finally {
    stream.close()
    leave()
    deps.metrics.gauge('http_streams_open', streams.total)
  }
}

/** What a stream looks at, and how it hears that it should. */
export interface Watched {
  /** Calls `wake` when there may be something new; answers a function that ends it. */
  watch(wake: () => void): () => void
  /** Looks, and tells what is new. False where there will never be anything more. */
  round(): Promise<boolean>
}

/** Looks again whenever it is woken, and with every sign of life, until all is told or either side closes. */
export async function inRounds(
  stream: EventStream,
  { options, stopping }: Pick<RouteContext, 'options' | 'stopping'>,
  { watch, round }: Watched,
): Promise<void> {
  let woken = Promise.withResolvers<void>()
  const wake = (): void => woken.resolve()
  const stopWatching = watch(wake)
  const keepAlive = setInterval(() => {
    stream.comment()
    // And looks: a node that died between storing a mail and telling of it told nobody.
    wake()
  }, options.streamKeepAlive)
  const ended = AbortSignal.any([stream.closed, stopping])
  ended.addEventListener('abort', wake)
  try {
    while (!ended.aborted) {
      // Armed before the look, so that a change during it wakes the next round.
      woken = Promise.withResolvers<void>()
      // oxlint-disable-next-line no-await-in-loop -- look, tell, wait
      if (!(await round())) return
      // oxlint-disable-next-line no-await-in-loop
      if (!ended.aborted) await woken.promise
    }
  } finally {
    ended.removeEventListener('abort', wake)
    clearInterval(keepAlive)
    stopWatching()
  }
}

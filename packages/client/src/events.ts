import { MayflyError } from './errors.ts'
import { pause, type Service } from './http.ts'
import type { AddressState, InboxEvent, MessageSummary } from './types.ts'

/** Milliseconds before the first and between later attempts to reconnect. */
const RETRY = { first: 500, max: 15_000 }
/** How often a service that does not respond is called before anyone reads its events. */
const UNREAD_TRIES = 3

interface RawEvent {
  id: string
  event: string
  data: string
}

interface Stream {
  service: Service
  secret: string
  signal: AbortSignal
  /** Resolves when someone reads the events, or at the end. */
  wanted: Promise<void>
}

/**
 * Connects, and yields what happens in an inbox from now on, forever or until `signal` aborts. Reconnects when the
 * connection is lost, and misses nothing. Throws `MayflyError` once the secret is no longer valid.
 */
export function inboxEvents(service: Service, secret: string, signal?: AbortSignal): AsyncGenerator<InboxEvent> {
  const end = new AbortController()
  const ended = signal ? AbortSignal.any([signal, end.signal]) : end.signal
  let want = () => {}
  const wanted = new Promise<void>((resolve) => (want = resolve))
  ended.addEventListener('abort', want)
  const events = follow({ service, secret, signal: ended, wanted })
  const { next, return: close } = events
  // Read now, because its id says where the stream began. A connection that breaks later loses what nobody has read.
  let first: ReturnType<typeof next> | undefined = next.call(events)
  // The reader gets the error. There may never be one.
  first.catch(() => {})
  events.next = () => {
    want()
    const event = (!ended.aborted && first) || next.call(events)
    first = undefined
    return event
  }
  // A generator that waits for an event would close the connection only after it.
  events.return = (value) => {
    end.abort()
    return close.call(events, value)
  }
  return events
}

async function connect({ service, secret, signal }: Stream, lastId?: string): Promise<Response> {
  const headers = { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) }
  const response = await service.request('/events', { headers, signal, secret })
  // A client that reconnects with a secret that is no longer valid gets 204, because browsers would repeat a 401
  // forever. This request gets the 401.
  if (response.status === 204) await service.request('/address', { signal, secret })
  return response
}

async function* follow(stream: Stream): AsyncGenerator<InboxEvent> {
  const { signal, wanted } = stream
  let lastId: string | undefined
  let delay = RETRY.first
  let tries = 0
  let wasOpen = false
  while (!signal.aborted) {
    try {
      tries++
      const response = await connect(stream, lastId)
      wasOpen = true
      for await (const { id, event, data } of readEvents(response.body)) {
        delay = RETRY.first
        const parsed = eventOf(event, data)
        if (parsed) yield parsed
        if (signal.aborted) return
        // Only now is it certain that the reader got the event.
        if (id !== '') lastId = id
      }
    } catch (error) {
      if (signal.aborted) return
      if (isFinal(error)) throw error
    }
    // Events that nobody reads must not connect, and keep the process alive, forever.
    if (wasOpen || tries >= UNREAD_TRIES) await wanted
    try {
      await pause(delay, signal)
    } catch {
      return
    }
    delay = Math.min(delay * 2, RETRY.max)
  }
}

/** Whether trying again cannot help: the service refused the request itself. */
const isFinal = (error: unknown): boolean => error instanceof MayflyError && error.status < 500 && error.status !== 429

function eventOf(event: string, data: string): InboxEvent | undefined {
  if (event === 'message') return { type: 'message', message: JSON.parse(data) as MessageSummary }
  if (event === 'deleted') return { type: 'deleted', id: (JSON.parse(data) as { id: string }).id }
  if (event === 'address') return { type: 'address', address: JSON.parse(data) as AddressState }
  return undefined
}

/** Parses Server-Sent Events (HTML standard 9.2.6). */
class EventParser {
  #buffered = ''
  #current: RawEvent = { id: '', event: 'message', data: '' }

  /** Returns the events that the next part of the text completes. */
  push(part: string): RawEvent[] {
    this.#buffered += part
    // A CR at the end may be the first half of CRLF.
    const lines = this.#buffered.split(/\r\n|\n|\r(?!$)/)
    this.#buffered = lines.pop() ?? ''
    return lines.flatMap((line) => (line === '' ? this.#complete() : this.#add(line)))
  }

  #complete(): RawEvent[] {
    const { id, event, data } = this.#current
    this.#current = { id, event: 'message', data: '' }
    return data === '' ? [] : [{ id, event, data: data.slice(0, -1) }]
  }

  #add(line: string): RawEvent[] {
    const [, field, text = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'id') this.#current.id = text
    else if (field === 'event') this.#current.event = text
    else if (field === 'data') this.#current.data += `${text}\n`
    return []
  }
}

async function* readEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<RawEvent> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  const parser = new EventParser()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield* parser.push(value)
    }
  } finally {
    await reader.cancel()
  }
}

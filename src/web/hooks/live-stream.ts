import type { AddressJson } from '#contract/addresses.ts'
import type { MessageSummaryJson } from '#contract/messages.ts'
import type { LiveStatus } from './inbox-state.ts'

/** The part of EventSource that is used. Tests replace it. */
export type Source = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>

/** The events of a stream, for ordinary and fully private addresses. */
export type StreamEvent<Message, Address> =
  | { type: 'message'; message: Message }
  | { type: 'deleted'; id: string }
  | { type: 'address'; address: Address }
  | { type: 'deliveries' }
  | { type: 'status'; status: LiveStatus }

interface StreamOptions {
  /** The URL of the next connection. */
  url: () => string
  /** Adds listeners for the events of a connection. */
  listen: (source: Source) => void
  onStatus?: (status: LiveStatus) => void
  /** Called when the server ended the stream for good. The caller finds out why. */
  onEnd: () => void
  open?: (url: string) => Source
  /** Tells when the network is lost or back, and when the page is left or shown again. */
  page?: Pick<EventTarget, 'addEventListener'> | undefined
  retry?: (again: () => void, milliseconds: number) => () => void
}

interface InboxStreamOptions<Message, Address> extends Pick<StreamOptions, 'onEnd' | 'open' | 'page' | 'retry'> {
  /** Path of the stream below the API prefix, with its query so far. */
  path?: string
  /** Revision of the inbox when the page was rendered. */
  revision: number
  dispatch: (event: StreamEvent<Message, Address>) => void
}

const CLOSED = 2
/** After a refused request. */
const RETRY = 5000
/** After the end of a stream; the same as EventSource waits. */
const RECONNECT = 2000
/** Until the address is checked after the end of a stream. */
const SETTLE = 500

const later = (again: () => void, milliseconds: number): (() => void) => {
  const timer = setTimeout(again, milliseconds)
  return () => clearTimeout(timer)
}

/**
 * Follows a stream. EventSource reconnects after a lost connection. If the server refused the request (too many requests, a
 * restart behind a proxy), this function retries. It reconnects when the device has a network again, and disconnects
 * while the page is in the back-forward cache. Returns a function that closes the stream.
 */
export function followStream({
  url,
  listen,
  onStatus = () => {},
  onEnd,
  open = (path) => new EventSource(path),
  page = globalThis.window,
  retry = later,
}: StreamOptions): () => void {
  let source: Source | undefined
  let cancelRetry = (): void => {}
  const stopped = new AbortController()
  const disconnect = (): void => {
    cancelRetry()
    source?.close()
  }

  function connect(): void {
    disconnect()
    const current = open(url())
    source = current
    listen(current)
    current.addEventListener('open', () => onStatus('live'))
    const ended = (pause: number): void => {
      onEnd()
      cancelRetry = retry(connect, pause)
    }
    // The connection is not lost. The secret may have been replaced, and the response with the new cookie be on its way.
    current.addEventListener('end', () => {
      current.close()
      cancelRetry = retry(() => ended(RECONNECT), SETTLE)
    })
    current.addEventListener('error', () => {
      onStatus('lost')
      if (current.readyState === CLOSED) ended(RETRY)
    })
  }

  const on = (name: string, react: (event: PageTransitionEvent) => void): void =>
    page?.addEventListener(name, react as EventListener, stopped)
  // Without a network a connection seems open for minutes.
  on('offline', () => onStatus('lost'))
  on('online', connect)
  // An open stream would keep the page out of the back-forward cache.
  on('pagehide', disconnect)
  on('pageshow', ({ persisted }) => persisted && connect())
  onStatus('connecting')
  connect()
  return () => {
    stopped.abort()
    disconnect()
  }
}

/** Follows an inbox from a revision on. Returns a function that closes the stream. */
export function followInbox<Message = MessageSummaryJson, Address = AddressJson>({
  path = '/events?',
  revision,
  dispatch,
  ...stream
}: InboxStreamOptions<Message, Address>): () => void {
  let last = revision
  return followStream({
    ...stream,
    url: () => `/api/v1${path}lastEventId=${last}`,
    onStatus: (status) => dispatch({ type: 'status', status }),
    listen(source) {
      const on = <T>(name: string, make: (data: T) => StreamEvent<Message, Address>): void =>
        source.addEventListener(name, (event) => {
          const { data, lastEventId } = event as MessageEvent<string>
          last = Math.max(last, Number(lastEventId) || 0)
          dispatch(make(JSON.parse(data) as T))
        })
      on<Message>('message', (message) => ({ type: 'message', message }))
      on<{ id: string }>('deleted', ({ id }) => ({ type: 'deleted', id }))
      on<Address>('address', (address) => ({ type: 'address', address }))
      source.addEventListener('deliveries', () => dispatch({ type: 'deliveries' }))
    },
  })
}

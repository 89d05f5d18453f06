import type { AddressJson } from '#contract/addresses.ts'
import type { MessageSummaryJson } from '#contract/messages.ts'
import type { LiveStatus } from './inbox-state.ts'

/** The part of EventSource that is used. Tests replace it. */
export type Source = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>

/** The events of a stream, for ordinary and fully private addresses. */
type StreamEvent<Message, Address> =
  | { type: 'message'; message: Message }
  | { type: 'deleted'; id: string }
  | { type: 'address'; address: Address }
  | { type: 'deliveries' }
  | { type: 'status'; status: LiveStatus }

interface LiveStreamOptions<Message, Address> {
  /** Path of the stream below the API prefix. */
  path?: string
  /** Revision of the inbox when the page was rendered. */
  revision: number
  dispatch: (event: StreamEvent<Message, Address>) => void
  /** Called when the server ended the stream for good. The caller checks the state of the address. */
  onEnd: () => void
  /** Adds listeners for the events of other streams. */
  listen?: (source: Source) => void
  open?: (url: string) => Source
  retry?: (again: () => void, milliseconds: number) => () => void
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
 * Follows the inbox. EventSource reconnects after a lost connection. If the server refused the request (too many
 * requests, a restart behind a proxy), this function retries. Returns a function that closes the stream.
 */
export function followInbox<Message = MessageSummaryJson, Address = AddressJson>({
  path = '/events',
  revision,
  dispatch,
  onEnd,
  listen,
  open = (url) => new EventSource(url),
  retry = later,
}: LiveStreamOptions<Message, Address>) {
  let last = revision
  let source: Source | undefined
  let cancelRetry = (): void => {}

  function connect(): void {
    const current = open(`/api/v1${path}?lastEventId=${last}`)
    source = current
    const on = <T>(name: string, make: (data: T) => StreamEvent<Message, Address>): void =>
      current.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>
        last = Math.max(last, Number(lastEventId) || 0)
        dispatch(make(JSON.parse(data) as T))
      })
    on<Message>('message', (message) => ({ type: 'message', message }))
    on<{ id: string }>('deleted', ({ id }) => ({ type: 'deleted', id }))
    on<Address>('address', (address) => ({ type: 'address', address }))
    listen?.(current)
    current.addEventListener('deliveries', () => dispatch({ type: 'deliveries' }))
    current.addEventListener('open', () => dispatch({ type: 'status', status: 'live' }))
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
      dispatch({ type: 'status', status: 'lost' })
      if (current.readyState === CLOSED) ended(RETRY)
    })
  }

  dispatch({ type: 'status', status: 'connecting' })
  connect()
  return (): void => {
    cancelRetry()
    source?.close()
  }
}

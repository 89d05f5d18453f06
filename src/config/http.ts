import { bytes, integer, seconds } from './kinds.ts'
import { limit, setting } from './setting.ts'

/** Limits of the site and the API. Names that `HttpOptions` has too are the same there. */
export const http = {
  requestsPerSecond: setting(
    'API_REQUESTS_PER_SECOND',
    integer(1, 1_000_000),
    '8',
    'API requests per second from one IP address',
  ),
  pagesPerSecond: setting(
    'PAGE_REQUESTS_PER_SECOND',
    integer(1, 1_000_000),
    '30',
    'Other requests per second from one IP address',
  ),
  addressCreateSeconds: setting(
    'ADDRESS_CREATE_SECONDS',
    integer(1, 86_400),
    '8',
    'Seconds between two new addresses from one IP address, on average',
  ),
  addressCreateBurst: setting(
    'ADDRESS_CREATE_BURST',
    integer(1, 1_000_000),
    '5',
    'New addresses that one IP address may create in a burst',
  ),
  supportSeconds: limit(
    'SUPPORT_SECONDS',
    integer(1, 86_400),
    '60',
    'Seconds between two forms to the operator from one IP address, on average',
  ),
  supportBurst: limit(
    'SUPPORT_BURST',
    integer(1, 1_000_000),
    '3',
    'Forms to the operator that one IP address may send in a burst',
  ),
  supportMessageCharacters: limit(
    'SUPPORT_MESSAGE_MAX_CHARACTERS',
    integer(1, 1_000_000),
    '5000',
    'Characters of the text in a form to the operator',
  ),
  supportNameCharacters: limit(
    'SUPPORT_NAME_MAX_CHARACTERS',
    integer(1, 1000),
    '100',
    'Characters of the name in a form to the operator',
  ),
  maxStreamsPerClient: setting(
    'STREAMS_PER_IP_MAX',
    integer(1, 1_000_000),
    '20',
    'Open event streams and long polls from one IP address; each API key may have ten times as many',
  ),
  maxStreams: setting('STREAMS_MAX', integer(1, 10_000_000), '10000', 'Open event streams and long polls'),
  streamBufferBytes: limit(
    'STREAM_BUFFER_MAX_BYTES',
    bytes(1024),
    '1MB',
    'Bytes of unread events after which a slow client is disconnected',
  ),
  streamKeepAlive: limit(
    'STREAM_KEEPALIVE_SECONDS',
    seconds(1, 3600),
    '25',
    'Seconds between two keep-alive comments in an event stream',
  ),
  maxConnections: limit(
    'HTTP_CONNECTIONS_MAX',
    integer(1, 10_000_000),
    undefined,
    'Open HTTP connections; unset: one and a half times `MAYFLY_STREAMS_MAX`, or fewer if the process may not open so many files',
  ),
  maxConnectionsPerClient: limit(
    'HTTP_CONNECTIONS_PER_IP_MAX',
    integer(1, 1_000_000),
    '100',
    'Open HTTP connections from one IP address that is not a trusted proxy',
  ),
  maxBodyBytes: limit('REQUEST_MAX_BYTES', bytes(1024, 16 * 1024 * 1024), '16KB', 'The largest request body'),
  requestTimeout: limit('REQUEST_SECONDS', seconds(1, 3600), '30', 'How long a request may take to arrive'),
  maxPrivateBytes: limit(
    'PRIVATE_REQUEST_MAX_BYTES',
    bytes(1024, 16 * 1024 * 1024),
    '1MB',
    'The largest request body from a browser that reads a fully private address',
  ),
}

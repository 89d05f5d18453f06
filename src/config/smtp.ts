import { bytes, choice, hostName, integer, networks, seconds, text } from './kinds.ts'
import { limit, setting } from './setting.ts'

const PATH = text('a path')

/** The SMTP receiver. The names are those of `SmtpOptions`. */
export const smtp = {
  hostname: setting(
    'SMTP_HOSTNAME',
    hostName,
    undefined,
    'Host name that the receiver gives in its greeting; unset: the first mail domain',
    { essential: true },
  ),
  certFile: setting(
    'SMTP_TLS_CERT_FILE',
    PATH,
    undefined,
    'PEM certificate chain for STARTTLS, reloaded when the file changes; unset: a self-signed certificate',
    { essential: true },
  ),
  keyFile: setting('SMTP_TLS_KEY_FILE', PATH, undefined, 'PEM private key of the STARTTLS certificate', {
    essential: true,
  }),
  startTls: setting(
    'SMTP_STARTTLS',
    choice('auto', 'on', 'off'),
    'auto',
    'Whether STARTTLS is offered; `auto`: yes, except to clients on this machine when the site is on localhost and no certificate is set',
  ),
  auth: setting(
    'SMTP_AUTH',
    choice('auto', 'on', 'off'),
    'auto',
    'Whether AUTH with any credentials is accepted and ignored, for clients that cannot send without it; `auto`: from clients on this machine when the site is on localhost',
  ),
  proxies: setting(
    'SMTP_PROXIES',
    networks,
    '',
    'Proxies in front of the receiver: their connections must begin with a PROXY header (v1 or v2) that names the client',
  ),
  proxyHeaderTimeout: limit(
    'SMTP_PROXY_HEADER_SECONDS',
    seconds(1, 60),
    '5',
    'How long the PROXY header of a connection may take to arrive',
  ),
  maxRecipients: limit('SMTP_RECIPIENTS_MAX', integer(1, 10_000), '100', 'Recipients of one message'),
  maxCopiesBytes: limit(
    'SMTP_COPIES_MAX_BYTES',
    bytes(1024),
    '128MB',
    'Size of one message times its recipients; recipients beyond it get 452, and the sender retries them',
  ),
  maxBytesPerHour: limit(
    'SMTP_BYTES_PER_HOUR',
    bytes(1024),
    '256MB',
    'Bytes of mail that are accepted per hour from one IP address',
  ),
  maxRefusedRecipientsPerHour: limit(
    'SMTP_REFUSED_RECIPIENTS_PER_HOUR',
    integer(1, 1_000_000_000),
    '2000',
    'Unknown recipients per hour from one IP address',
  ),
  maxConnections: setting('SMTP_CONNECTIONS_MAX', integer(1, 1_000_000), '1000', 'Open SMTP connections'),
  maxConnectionsPerAddress: limit(
    'SMTP_CONNECTIONS_PER_IP_MAX',
    integer(1, 1_000_000),
    '50',
    'Open SMTP connections from one IP address; four times as many, but at least 200, may be started in ten seconds, by a wider network (IPv4 /24, IPv6 /48) four times that',
  ),
  maxConnectionsPerNetwork: limit(
    'SMTP_CONNECTIONS_PER_NETWORK_MAX',
    integer(1, 1_000_000),
    '100',
    'Open SMTP connections from one IPv6 /64',
  ),
  maxCommands: limit('SMTP_SESSION_COMMANDS_MAX', integer(10, 1_000_000_000), '1000', 'Commands in one session'),
  maxMessages: limit('SMTP_SESSION_MESSAGES_MAX', integer(1, 1_000_000_000), '200', 'Messages in one session'),
  maxDelayedPerClient: limit(
    'SMTP_DELAYED_SESSIONS_PER_IP_MAX',
    integer(1, 1_000_000),
    '5',
    'Sessions of one IP address that delay faults (`PUT /address/faults`) may hold at the same time',
  ),
}

import { bytes, choice, integer, networks, seconds, text } from './kinds.ts'
import { setting } from './setting.ts'

const PATH = text('a path')

/** The SMTP receiver. The names are those of `SmtpOptions`. */
export const smtp = {
  hostname: setting(
    'SMTP_HOSTNAME',
    text('a host name', /^[\w.-]+$/),
    undefined,
    'Name of the receiver in its greeting; unset: the first mail domain',
    { essential: true },
  ),
  certFile: setting(
    'SMTP_TLS_CERT_FILE',
    PATH,
    undefined,
    'PEM certificate chain for STARTTLS, taken up anew when it changes; unset: a self-made one',
    { essential: true },
  ),
  keyFile: setting('SMTP_TLS_KEY_FILE', PATH, undefined, 'PEM key of that certificate', { essential: true }),
  startTls: setting(
    'SMTP_STARTTLS',
    choice('auto', 'on', 'off'),
    'auto',
    'Whether STARTTLS is offered; `auto`: always, but on localhost, to programs of this machine, only with a certificate that is set',
  ),
  auth: setting(
    'SMTP_AUTH',
    choice('auto', 'on', 'off'),
    'auto',
    'Whether any AUTH is accepted and ignored, for programs that insist on it; `auto`: on localhost, from programs of this machine',
  ),
  proxies: setting(
    'SMTP_PROXIES',
    networks,
    '',
    'Proxies before SMTP: connections from them must begin with a PROXY header (v1 or v2) that names the visitor',
  ),
  proxyHeaderTimeout: setting('SMTP_PROXY_HEADER_SECONDS', seconds(1, 60), '5', 'How long that header may take'),
  maxRecipients: setting('SMTP_RECIPIENTS_MAX', integer(1, 10_000), '100', 'Recipients of one mail'),
  maxCopiesBytes: setting(
    'SMTP_COPIES_MAX_BYTES',
    bytes(1024),
    '128MB',
    'Size of one mail times its recipients; the sender comes again for those beyond it',
  ),
  maxBytesPerHour: setting(
    'SMTP_BYTES_PER_HOUR',
    bytes(1024),
    '256MB',
    'Mail that one IP address may have stored in an hour',
  ),
  maxRefusedRecipientsPerHour: setting(
    'SMTP_REFUSED_RECIPIENTS_PER_HOUR',
    integer(1, 1_000_000_000),
    '2000',
    'Unknown recipients in an hour from one IP address',
  ),
  maxConnections: setting('SMTP_CONNECTIONS_MAX', integer(1, 1_000_000), '1000', 'Open SMTP connections'),
  maxConnectionsPerAddress: setting(
    'SMTP_CONNECTIONS_PER_IP_MAX',
    integer(1, 1_000_000),
    '50',
    'Open SMTP connections from one IP address',
  ),
  maxConnectionsPerNetwork: setting(
    'SMTP_CONNECTIONS_PER_NETWORK_MAX',
    integer(1, 1_000_000),
    '100',
    'Open SMTP connections from one IPv6 /64',
  ),
  maxCommands: setting('SMTP_SESSION_COMMANDS_MAX', integer(10, 1_000_000_000), '1000', 'Commands in one session'),
  maxMessages: setting('SMTP_SESSION_MESSAGES_MAX', integer(1, 1_000_000_000), '200', 'Mails in one session'),
}

import { forwarding } from './forwarding.ts'
import {
  bytes,
  choice,
  databaseUrl,
  domains,
  host,
  integer,
  type Kind,
  networks,
  origin,
  port,
  servers,
  text,
  url,
} from './kinds.ts'
import { operating } from './operating.ts'
import { premium } from './premium.ts'
import { type Setting, setting } from './setting.ts'

const PATH = text('a path')

/** All settings. The README's table, `--help` and the type `Config` are made from it. */
export const table = {
  HOST: setting(host, '127.0.0.1', 'Where the page and SMTP listen; `0.0.0.0` for all interfaces'),
  HTTP_PORT: setting(port, '3000', 'Port of the page and the API; 0 takes any free one'),
  SMTP_PORT: setting(port, '2525', 'Port of the SMTP receiver; 0 takes any free one'),
  METRICS_HOST: setting(
    text('a host name or an IP address', /^[\w.:-]+$/),
    '127.0.0.1',
    'Where `/metrics` for Prometheus listens, apart from the page; never an address that the public reaches',
  ),
  METRICS_PORT: setting(
    port,
    undefined,
    'Port of `/metrics`; 0 takes any free one; unset: 9464, or any free one where that is taken',
  ),
  DATA_DIR: setting(PATH, './data', 'Directory of the database and the secret key'),
  PUBLIC_URL: setting(
    origin,
    undefined,
    'The address under which visitors reach the page; unset: http://localhost and the port',
  ),
  TRUSTED_PROXIES: setting(
    networks,
    '127.0.0.1,::1',
    'Proxies before the page whose `X-Forwarded-For` names the visitor: limits count visitors by it',
  ),
  DOMAINS: setting(domains(1), 'mayfly.test,dayfly.test', 'Free mail domains'),
  PREMIUM_DOMAINS: setting(domains(0), 'vip.mayfly.test', 'Premium mail domains'),
  SECRET_KEY: setting(
    text('64 hexadecimal digits', /^[0-9a-f]{64}$/i),
    undefined,
    'Key of this service; unset: made at the first start and kept in the data directory',
  ),
  SECRET_KEY_FILE: setting(
    PATH,
    undefined,
    'File with that key, such as a Docker or Kubernetes secret; made at the first start where it is missing; unset: `secret.key` in the data directory',
  ),
  DATABASE_URL: setting(
    databaseUrl,
    undefined,
    'PostgreSQL database that several nodes share; unset: an embedded one in the data directory',
  ),
  DATABASE_READ_CONNECTIONS: setting(integer(1, 1000), '10', 'Connections of this node to PostgreSQL that read'),
  DATABASE_WRITE_CONNECTIONS: setting(integer(1, 1000), '4', 'Connections of this node to PostgreSQL that write'),
  DATABASE_CONNECT_SECONDS: setting(integer(1, 300), '5', 'How long a connection to PostgreSQL may take'),
  DATABASE_STATEMENT_SECONDS: setting(integer(1, 3600), '10', 'How long a statement on PostgreSQL may take'),
  DATABASE_LOCK_SECONDS: setting(integer(1, 3600), '5', 'How long a statement on PostgreSQL may wait for a lock'),
  DISK_RESERVE_BYTES: setting(
    bytes(0),
    '64MB',
    'Space that stays free on the disk of the embedded database: below it no mail is taken, but all can be deleted',
  ),
  LOG_LEVEL: setting(choice('debug', 'info', 'warn', 'error'), 'info', 'The least important kind of line in the log'),
  DRAIN_SECONDS: setting(
    integer(0, 600),
    '0',
    'How long a stop still takes new connections while `/readyz` says 503, for load balancers to notice',
  ),
  SHUTDOWN_SECONDS: setting(integer(0, 600), '10', 'How long mails on their way may take to arrive at a stop'),

  ADDRESS_LIFETIME_HOURS: setting(integer(1, 8760), '24', 'How long an address lives after the last visit'),
  TEN_MINUTES_LIFETIME_MINUTES: setting(integer(1, 1440), '10', 'How long a "10 Minute Mail" address lives'),
  QUARANTINE_DAYS: setting(integer(0, 3650), '30', 'How long nobody else can take an address that ended'),
  ADDRESS_STORAGE_BYTES: setting(bytes(1024), '40MB', 'Mail that an address may hold'),
  OPERATOR_STORAGE_BYTES: setting(
    bytes(1024),
    '1GB',
    "Mail that the operator's mailbox may hold; a fifth each for postmaster@, abuse@, both forms and subscribers",
  ),
  MESSAGE_RETENTION_HOURS: setting(integer(1, 8760), '24', 'How long a message is kept'),
  OPERATOR_RETENTION_DAYS: setting(integer(1, 3650), '90', "How long a message in the operator's mailbox is kept"),
  MESSAGE_MAX_BYTES: setting(bytes(1024, 1024 ** 3), '10MB', 'The largest mail to a free address'),
  SWEEP_SECONDS: setting(integer(1, 3600), '60', 'How often what has expired is removed'),
  SWEEP_STEP_ROWS: setting(integer(1, 10_000), '200', 'Rows that one step of the sweep removes'),

  SMTP_HOSTNAME: setting(
    text('a host name', /^[\w.-]+$/),
    undefined,
    'Name of the receiver in its greeting; unset: the first mail domain',
  ),
  SMTP_TLS_CERT_FILE: setting(
    PATH,
    undefined,
    'PEM certificate chain for STARTTLS, taken up anew when it changes; unset: a self-made one',
  ),
  SMTP_TLS_KEY_FILE: setting(PATH, undefined, 'PEM key of that certificate'),
  SMTP_STARTTLS: setting(
    choice('auto', 'on', 'off'),
    'auto',
    'Whether STARTTLS is offered; `auto`: always, but on localhost, to programs of this machine, only with a certificate that is set',
  ),
  SMTP_AUTH: setting(
    choice('auto', 'on', 'off'),
    'auto',
    'Whether any AUTH is accepted and ignored, for programs that insist on it; `auto`: on localhost, from programs of this machine',
  ),
  SMTP_PROXIES: setting(
    networks,
    '',
    'Proxies before SMTP: connections from them must begin with a PROXY header (v1 or v2) that names the visitor',
  ),
  SMTP_PROXY_HEADER_SECONDS: setting(integer(1, 60), '5', 'How long that header may take'),
  SMTP_RECIPIENTS_MAX: setting(integer(1, 10_000), '100', 'Recipients of one mail'),
  SMTP_COPIES_MAX_BYTES: setting(
    bytes(1024),
    '128MB',
    'Size of one mail times its recipients; the sender comes again for those beyond it',
  ),
  SMTP_BYTES_PER_HOUR: setting(bytes(1024), '256MB', 'Mail that one IP address may have stored in an hour'),
  SMTP_REFUSED_RECIPIENTS_PER_HOUR: setting(
    integer(1, 1_000_000_000),
    '2000',
    'Unknown recipients in an hour from one IP address',
  ),
  SMTP_CONNECTIONS_MAX: setting(integer(1, 1_000_000), '1000', 'Open SMTP connections'),
  SMTP_CONNECTIONS_PER_IP_MAX: setting(integer(1, 1_000_000), '50', 'Open SMTP connections from one IP address'),
  SMTP_CONNECTIONS_PER_NETWORK_MAX: setting(integer(1, 1_000_000), '100', 'Open SMTP connections from one IPv6 /64'),
  SMTP_SESSION_COMMANDS_MAX: setting(integer(10, 1_000_000_000), '1000', 'Commands in one session'),
  SMTP_SESSION_MESSAGES_MAX: setting(integer(1, 1_000_000_000), '200', 'Mails in one session'),
  SMTP_SESSION_ERRORS_MAX: setting(integer(1, 10_000), '10', 'Bad commands in one session'),
  SMTP_SESSION_REFUSED_RECIPIENTS_MAX: setting(integer(1, 10_000), '100', 'Unknown recipients in one session'),
  SMTP_COMMAND_LINE_MAX_BYTES: setting(bytes(512, 1024 * 1024), '2048', 'Length of a command line'),
  SMTP_LINE_MAX_BYTES: setting(bytes(998, 1024 * 1024), '64KB', 'Length of a line of a mail'),
  SMTP_HEADER_MAX_BYTES: setting(bytes(1024, 16 * 1024 * 1024), '256KB', 'Length of the header section of a mail'),
  SMTP_HOPS_MAX: setting(integer(1, 1000), '100', 'Received headers of a mail, against loops'),
  MAIL_MEMORY_BYTES: setting(
    bytes(32 * 1024 * 1024),
    '96MB',
    'Memory for all copies of mail that is received, sealed, opened and forwarded at one time: beyond it senders get 452 and come again',
  ),
  SMTP_COMMAND_TIMEOUT_SECONDS: setting(integer(1, 3600), '60', 'How long a session may be idle between commands'),
  SMTP_DATA_TIMEOUT_SECONDS: setting(integer(1, 3600), '180', 'How long DATA may bring nothing'),
  SMTP_DATA_MAX_SECONDS: setting(integer(1, 36_000), '600', 'How long DATA may take in all'),
  SMTP_MIN_BYTES_PER_SECOND: setting(integer(0, 1_000_000), '64', 'Slower senders are cut off'),
  SMTP_SLOW_SENDER_GRACE_SECONDS: setting(integer(0, 3600), '60', 'How long a sender may be slower than that'),

  PARSE_SECONDS: setting(integer(1, 60), '5', 'Time for parsing one mail'),
  PARSE_MEMORY_BYTES: setting(bytes(32 * 1024 * 1024, 16 * 1024 ** 3), '256MB', 'Memory for parsing'),
  PARSE_PARTS_MAX: setting(integer(1, 100_000), '1000', 'MIME parts of a mail'),
  PARSE_DEPTH_MAX: setting(integer(1, 1000), '100', 'Nesting of MIME parts'),
  PARSE_LINES_MAX: setting(integer(1000, 10_000_000), '400000', 'Lines of a mail'),
  PARSE_BACKLOG_MAX: setting(
    integer(1, 1_000_000),
    '1000',
    'Mails that wait for the parser; of others the summary is made at the first reading',
  ),
  DNS_SERVERS: setting(servers, '', "Name servers for SPF, DKIM, DMARC and subscribers' domains; empty: the system's"),
  AUTHENTICATION_SECONDS: setting(integer(1, 60), '10', 'Time for SPF, DKIM and DMARC of one mail'),

  API_REQUESTS_PER_SECOND: setting(integer(1, 1_000_000), '8', 'API requests a second from one IP address'),
  PAGE_REQUESTS_PER_SECOND: setting(integer(1, 1_000_000), '30', 'Other requests a second from one IP address'),
  ADDRESS_CREATE_SECONDS: setting(integer(1, 86_400), '8', 'Seconds for each new address from one IP address'),
  ADDRESS_CREATE_BURST: setting(integer(1, 1_000_000), '5', 'New addresses at once from one IP address'),
  SUPPORT_SECONDS: setting(integer(1, 86_400), '60', 'Seconds for each form to the operator from one IP address'),
  SUPPORT_BURST: setting(integer(1, 1_000_000), '3', 'Forms to the operator at once from one IP address'),
  SUPPORT_MESSAGE_MAX_CHARACTERS: setting(integer(1, 1_000_000), '5000', 'Length of a message to the operator'),
  SUPPORT_NAME_MAX_CHARACTERS: setting(integer(1, 1000), '100', 'Length of the name in a form to the operator'),
  STREAMS_PER_IP_MAX: setting(integer(1, 1_000_000), '20', 'Open event streams and held answers from one IP address'),
  STREAMS_MAX: setting(integer(1, 10_000_000), '10000', 'Open event streams and held answers'),
  STREAM_BUFFER_MAX_BYTES: setting(bytes(1024), '1MB', 'Unread events after which a slow reader is disconnected'),
  STREAM_KEEPALIVE_SECONDS: setting(integer(1, 3600), '25', 'Seconds between two comments in an event stream'),
  HTTP_CONNECTIONS_MAX: setting(
    integer(1, 10_000_000),
    undefined,
    'Open HTTP connections; unset: `MAYFLY_STREAMS_MAX` and half of it; fewer where the process may not open so many files',
  ),
  HTTP_CONNECTIONS_PER_IP_MAX: setting(
    integer(1, 1_000_000),
    '100',
    'Open HTTP connections from one IP address that is not a trusted proxy',
  ),
  REQUEST_MAX_BYTES: setting(bytes(1024, 16 * 1024 * 1024), '16KB', 'The largest request body'),
  REQUEST_SECONDS: setting(integer(1, 3600), '30', 'How long a request may take to arrive'),
  APP_STORE_URL: setting(
    url,
    undefined,
    'Where "Browser app" in the header leads; unset: a page on installing the site',
  ),
  MOBILE_STORE_URL: setting(
    url,
    undefined,
    'Where "Mobile app" in the header leads; unset: a page on installing the site',
  ),
  TEMP_NUMBER_URL: setting(url, undefined, 'Where "Temp Number" in the header leads; unset: an article'),
  ADVERTISING_URL: setting(url, undefined, 'Where "Advertising" in the footer leads; unset: the contact form'),
  AD_TOP_FILE: setting(PATH, undefined, 'HTML file of the advertisement above the pages; unset: none'),
  AD_TOP_HEIGHT_PIXELS: setting(integer(1, 2000), '90', 'Its height'),
  AD_BOTTOM_FILE: setting(PATH, undefined, 'HTML file of the advertisement below the pages; unset: none'),
  AD_BOTTOM_HEIGHT_PIXELS: setting(integer(1, 2000), '250', 'Its height'),
  ...premium,
  ...operating,
  ...forwarding,

  PAGE_MESSAGES: setting(integer(1, 1000), '50', 'Messages on one page of the inbox'),
  FILTER_MESSAGES_MAX: setting(integer(1, 100_000), '500', 'Messages that a filter looks through for one answer'),
  REMOTE_MAX_BYTES: setting(bytes(1024, 1024 ** 3), '5MB', 'The largest remote image'),
  REMOTE_AT_ONCE_MAX: setting(integer(1, 10_000), '40', 'Remote images that are fetched at one time'),
  REMOTE_SECONDS: setting(integer(1, 300), '10', 'Time for one remote image'),
  REMOTE_URL_HOURS: setting(integer(1, 8760), '24', 'How long the URL of a remote image works'),
} as const satisfies Record<string, Setting>

export type Key = keyof typeof table
type ValueOf<K extends Key> = (typeof table)[K] extends { kind: Kind<infer T>; fallback: infer F }
  ? F extends undefined
    ? T | undefined
    : T
  : never

/** All settings, validated and frozen. Keys are the names without `MAYFLY_`. */
export type Config = { readonly [K in Key]: ValueOf<K> }

export const PREFIX = 'MAYFLY_'

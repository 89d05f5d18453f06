/** The options of the receiver. Sizes are in bytes, times in milliseconds. */
export interface SmtpOptions {
  /** Where to listen. Port 0 means any free port. */
  host: string
  port: number
  /** The name in the greeting, in the reply to EHLO and in Received. */
  hostname: string
  /** The largest message that any recipient accepts, announced by SIZE (RFC 1870). */
  maxMessageBytes: number
  /** Recipients of one message (RFC 5321 4.5.3.1.8 requires at least 100). */
  maxRecipients: number
  /** Bytes of one message times its recipients, each of which gets a sealed copy. One recipient is always accepted. */
  maxCopiesBytes: number
  /**
   * Bytes of accepted messages, for each copy, and permanently refused recipients per hour of an IPv4 address or IPv6
   * /64. Wider networks: see `SenderLimits`.
   */
  maxBytesPerHour: number
  maxRefusedRecipientsPerHour: number
  /** Open connections in total, from one IP address, and from one IPv6 /64. Wider networks: see `ConnectionLimits`. */
  maxConnections: number
  maxConnectionsPerAddress: number
  maxConnectionsPerNetwork: number
  /** Commands, DATA commands, invalid commands and unknown recipients in one session. Beyond them it is closed. */
  maxCommands: number
  maxMessages: number
  maxErrors: number
  maxRefusedRecipients: number
  /** A command line with its CRLF. RFC 5321 requires 512; extensions need more. */
  maxCommandLineBytes: number
  /** A line of a message without its CRLF. RFC 5322 allows 998, but longer lines are common. */
  maxLineBytes: number
  /** The header section of a message. */
  maxHeaderBytes: number
  /** Received headers, against loops (RFC 5321 6.3). */
  maxHops: number
  /** Memory for the messages of all sessions together, from DATA to the reply. */
  maxBufferedBytes: number
  /** The shortest wait for memory before a message is refused. The wait is random, up to twice as long. */
  memoryWait: number
  /** IP addresses and networks (CIDR) of proxies. Their connections, and no others, must begin with a PROXY header. */
  proxies: readonly string[]
  /** How long the PROXY header may take to arrive. */
  proxyHeaderTimeout: number
  /** How long a command or a TLS handshake may take to arrive. */
  commandTimeout: number
  /** How long a session may last without a message, and between two of them, without the time that the server needs. */
  maxTimeWithoutMessage: number
  /**
   * A client that sends nothing for `stallTime`, no message for `stallTimeWithoutMessage`, or a message more slowly than
   * `minBytesPerSecondIfShort` loses its place if others need it.
   */
  stallTime: number
  stallTimeWithoutMessage: number
  minBytesPerSecondIfShort: number
  /** How long DATA may pause, and how long it may take in total. */
  dataTimeout: number
  maxDataTime: number
  /** The least speed of DATA in bytes per second, required after `slowSenderGrace`; see `DataPace`. */
  minBytesPerSecond: number
  slowSenderGrace: number
  /**
   * How long a client may take to close after the last reply. If the server closed at once, a TCP reset could discard
   * that reply.
   */
  linger: number
  /** How long messages that are being transferred may take to arrive at shutdown. */
  shutdownGrace: number
  /** How often timeouts are checked. */
  tick: number
  /**
   * PEM files of the STARTTLS certificate (chain) and its key. Without them a self-signed certificate for `hostname` is
   * used.
   */
  certificate: { certFile: string; keyFile: string } | undefined
  /**
   * Whether STARTTLS and AUTH are offered. AUTH accepts any credentials. With `auto`, a client on this machine at a
   * local site is offered AUTH, and STARTTLS only if `certificate` is set, because it cannot verify a self-signed one.
   * All other clients are offered STARTTLS but not AUTH.
   */
  startTls: 'auto' | 'on' | 'off'
  auth: 'auto' | 'on' | 'off'
  isLocalSite: boolean
  /** How often the certificate files are checked for changes. */
  certificateCheckInterval: number
}

/** The options without a setting. */
export const fixedSmtpOptions = {
  maxErrors: 10,
  maxRefusedRecipients: 100,
  maxCommandLineBytes: 2048,
  maxLineBytes: 64 * 1024,
  maxHeaderBytes: 256 * 1024,
  maxHops: 100,
  memoryWait: 2000,
  commandTimeout: 60_000,
  maxTimeWithoutMessage: 300_000,
  stallTime: 10_000,
  stallTimeWithoutMessage: 60_000,
  minBytesPerSecondIfShort: 32 * 1024,
  dataTimeout: 180_000,
  maxDataTime: 600_000,
  minBytesPerSecond: 64,
  slowSenderGrace: 60_000,
  linger: 5000,
  tick: 1000,
  certificateCheckInterval: 60_000,
} satisfies Partial<SmtpOptions>

/** The options that the caller gives, from the settings. The others are optional. */
export type GivenSmtpOptions = Omit<SmtpOptions, keyof typeof fixedSmtpOptions> & Partial<SmtpOptions>

/** Everything that can be set about the receiver. Sizes are bytes, times milliseconds. */
export interface SmtpOptions {
  /** Where to listen; port 0 means any free one. */
  host: string
  port: number
  /** The name in the banner, in EHLO's answer and in Received. */
  hostname: string
  /** The largest mail that anybody takes, announced by SIZE (RFC 1870). */
  maxMessageBytes: number
  /** Recipients of one mail (RFC 5321 4.5.3.1.8 asks for 100 at least). */
  maxRecipients: number
  /** Bytes of one mail times its recipients: each gets a sealed copy of its own. One recipient is always taken. */
  maxCopiesBytes: number
  /** What an IPv4 address or an IPv6 /64 may do in an hour: bytes that are stored, recipients that are refused for good. */
  maxBytesPerHour: number
  maxRefusedRecipientsPerHour: number
  /** Open connections: all, from one IPv4 or IPv6 address, from one IPv6 /64; wider networks see ConnectionLimits. */
  maxConnections: number
  maxConnectionsPerAddress: number
  maxConnectionsPerNetwork: number
  /** What one session may do before it must come back: commands, DATA commands, bad commands, unknown recipients. */
  maxCommands: number
  maxMessages: number
  maxErrors: number
  maxRefusedRecipients: number
  /** A command line with its CRLF; RFC 5321's 512 and room for extensions. */
  maxCommandLineBytes: number
  /** A line of a mail without its CRLF. RFC 5322 says 998, much real mail has more. */
  maxLineBytes: number
  /** The header section of a mail. */
  maxHeaderBytes: number
  /** Received headers, against loops (RFC 5321 6.3). */
  maxHops: number
  /** Mail of all sessions that is in memory at one time, from DATA to the reply. */
  maxBufferedBytes: number
  /** How long a client is kept waiting for memory, and at most twice as long, before its mail is refused. */
  memoryWait: number
  /** Addresses and networks (CIDR) of proxies: their connections, and no others, must begin with a PROXY header. */
  proxies: readonly string[]
  /** How long that header may take. */
  proxyHeaderTimeout: number
  /** How long a command, or a TLS handshake, may keep us waiting. */
  commandTimeout: number
  /** How long DATA may bring nothing, and how long it may take in all. */
  dataTimeout: number
  maxDataTime: number
  /** After `slowSenderGrace` of DATA its average must be at least so many bytes a second. */
  minBytesPerSecond: number
  slowSenderGrace: number
  /** How long a client may take to close after our last reply; closing at once could cost it that reply (TCP reset). */
  linger: number
  /** At the stop: how long mails on their way may take to arrive. */
  shutdownGrace: number
  /** How often timeouts are looked at. */
  tick: number
  /** PEM files of the STARTTLS certificate (chain) and its key; without them one is made for `hostname`. */
  certificate: { certFile: string; keyFile: string } | undefined
  /**
   * Whether STARTTLS is offered, and whether AUTH is, which lets everybody in. `auto` on a site for this machine alone: a client
   * here gets STARTTLS only with a certificate of `certificate`, which it can check, and may say AUTH; elsewhere STARTTLS always
   * and AUTH never.
   */
  startTls: 'auto' | 'on' | 'off'
  auth: 'auto' | 'on' | 'off'
  isLocalSite: boolean
  /** How often the certificate's files are looked at. */
  certificateCheckInterval: number
}

export const defaultSmtpOptions: Omit<SmtpOptions, 'hostname'> = {
  host: '127.0.0.1',
  port: 2525,
  maxMessageBytes: 10 * 1024 * 1024,
  maxRecipients: 100,
  maxCopiesBytes: 50 * 1024 * 1024,
  maxBytesPerHour: 256 * 1024 * 1024,
  maxRefusedRecipientsPerHour: 2000,
  maxConnections: 1000,
  maxConnectionsPerAddress: 50,
  maxConnectionsPerNetwork: 100,
  maxCommands: 1000,
  maxMessages: 200,
  maxErrors: 10,
  maxRefusedRecipients: 100,
  maxCommandLineBytes: 2048,
  maxLineBytes: 64 * 1024,
  maxHeaderBytes: 256 * 1024,
  maxHops: 100,
  maxBufferedBytes: 256 * 1024 * 1024,
  memoryWait: 2000,
  proxies: [],
  proxyHeaderTimeout: 5000,
  commandTimeout: 60_000,
  dataTimeout: 180_000,
  maxDataTime: 600_000,
  minBytesPerSecond: 64,
  slowSenderGrace: 60_000,
  linger: 5000,
  shutdownGrace: 30_000,
  tick: 1000,
  certificate: undefined,
  startTls: 'auto',
  auth: 'auto',
  isLocalSite: false,
  certificateCheckInterval: 60_000,
}

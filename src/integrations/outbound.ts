import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { MailRefused, type Outbound } from '#core/email/email.ts'
import { isLoopback } from '#core/networks.ts'
import { hostOf } from './pinned-address.ts'

interface RelayOptions {
  /**
   * `smtp://` or `smtps://` URL, with user and password if the relay requires them. The query may contain nodemailer
   * options.
   */
  url: string
  /**
   * The name for EHLO (RFC 5321 4.1.1.1). The relay writes it into each email, so it must not be the name of a machine.
   */
  name: string
  /** The default reverse-path. */
  from: string
  /** Timeout for one email, from connecting to the reply, in milliseconds. */
  timeout: number
  maxConnections: number
}

/** Returns nodemailer's connection options for a relay. Those in the URL win. */
export function connectionTo({ url, timeout }: Pick<RelayOptions, 'url' | 'timeout'>) {
  const parsed = new URL(url)
  const { protocol, username, password, searchParams } = parsed
  const hasLogin = username !== '' || password !== ''
  const host = hostOf(parsed).toLowerCase()
  const isHere = host === LOCALHOST || (isIP(host) !== 0 && isLoopback(host))
  // Behind a tunnel the relay is on another machine, and has its name.
  const hasName = searchParams.has('tls.servername') || searchParams.has('servername')
  return {
    // A password is only sent over TLS, unless the URL has `?requireTLS=false`.
    requireTLS: protocol === 'smtp:' && hasLogin,
    // The default certificate of a mail server is self-signed, and on this machine there is nobody to guard against.
    ...(!hasLogin && isHere && !hasName ? { tls: { rejectUnauthorized: false } } : {}),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    dnsTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(host === LOCALHOST ? { getSocket: connectHere } : {}),
    url,
  }
}

const LOCALHOST = 'localhost'
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
const toLoopback: LookupFunction = (_host, _options, callback) => callback(null, LOOPBACK)

/** Connects to localhost on this machine (RFC 6761 6.3). nodemailer would ask a name server, which may name another one. */
function connectHere(
  { port, secure }: { port?: number | string | undefined; secure?: boolean | undefined },
  callback: (error: Error | null, options?: { connection: Socket }) => void,
): void {
  const connection = connect({ host: LOCALHOST, port: Number(port ?? (secure ? 465 : 587)), lookup: toLoopback })
  connection.once('error', callback)
  connection.once('connect', () => {
    connection.off('error', callback)
    callback(null, { connection })
  })
}

/**
 * Sends emails through a relay. Rejects with `MailRefused` if it permanently rejects the recipient or the content (5yz,
 * RFC 5321 4.2.1).
 */
export function createRelay({ url, name, from, timeout, maxConnections }: RelayOptions): Outbound {
  const transport = createTransport({
    ...connectionTo({ url, timeout }),
    name,
    pool: true,
    maxConnections,
    // Retries once on a new connection if an idle one was closed. The caller makes all other retries.
    maxRequeues: 1,
  })
  return {
    async send({ to, raw, from: reversePath = from }) {
      const signal = AbortSignal.timeout(timeout)
      // Bytes beyond ASCII are relayed unchanged (RFC 6152). nodemailer declares SMTPUTF8 (RFC 6531) only for addresses,
      // not for headers. A relay that is told so bounces the email if the next server does not offer SMTPUTF8, while
      // nearly all servers accept UTF-8 headers without it.
      const envelope = { from: reversePath, to, use8BitMime: true }
      try {
        await transport.sendMail({ envelope, raw: asBuffer(raw), signal })
      } catch (cause) {
        const { response = '', command } = cause as RelayError
        const status = statusOf(response)
        const isRecipient = command === 'RCPT TO'
        const isUnknown = isRecipient && status === null && /^55[013]/.test(response) && !isAboutUs(response)
        if (isFinal(cause as RelayError))
          throw new MailRefused('The relay rejected the email', status, { cause, isUnknown, isRecipient })
        throw cause
      }
    },
    async close() {
      // Aborts pending emails: one that is accepted after this would not be recorded, and would be sent again.
      transport.close({ force: true })
    },
  }
}

interface RelayError {
  permanent?: boolean
  command?: string
  /** The reply of the relay. */
  response?: string
}

/** Wraps the bytes without a copy, because an email may be large. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

/**
 * Words that tell a refusal of this service or of the envelope sender from that of a mailbox, for which RFC 5321 4.2.2
 * says "mailbox name not allowed".
 */
const ABOUT_US = /relay|sender|authenti|prohibit|denied|(?<!mailbox name not )allowed|permit|block/i
/** A word with an email address, a host name or a URL. */
const HAS_NAME = /[@<]|\.[\p{L}\p{N}]/u

/** Whether the text of a reply without a status code is about this service. Names in it say nothing about that. */
const isAboutUs = (response: string): boolean =>
  ABOUT_US.test(
    response
      .split(/\s+/)
      .filter((word) => !HAS_NAME.test(word))
      .join(' '),
  )

const statusOf = (response: string): string | null => /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null

/** A rejection before RCPT TO results from wrong settings, which the operator may correct. */
const isFinal = ({ permanent, command }: RelayError): boolean =>
  permanent === true && (command === 'RCPT TO' || command === 'DATA')

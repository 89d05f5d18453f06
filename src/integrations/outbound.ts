import { createTransport } from 'nodemailer'
import { MailRefused, type Outbound } from '#core/email/email.ts'

export interface RelayOptions {
  /** `smtp://` or `smtps://`, with user and password where the relay wants them; nodemailer's options may stand in its query. */
  url: string
  /** Who we say we are (RFC 5321 4.1.1.1): the relay writes it into each mail, so it is no name of a machine. */
  name: string
  /** Reverse-path of mails that have none of their own. */
  from: string
  /** For one mail, from connecting to the reply, in milliseconds. */
  timeout: number
  maxConnections: number
}

/** How a relay is connected to, for nodemailer. */
export function connectionTo({ url, timeout }: Pick<RelayOptions, 'url' | 'timeout'>) {
  const { protocol, username } = new URL(url)
  return {
    // A password never travels in clear, unless the URL says `?requireTLS=false`.
    requireTLS: protocol === 'smtp:' && username !== '',
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    dnsTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    url,
  }
}

/** Hands mails to a relay. Rejects with `MailRefused` where it refuses recipient or content for good (5yz, RFC 5321 4.2.1). */
export function createRelay({ url, name, from, timeout, maxConnections }: RelayOptions): Outbound {
  const transport = createTransport({
    ...connectionTo({ url, timeout }),
    name,
    pool: true,
    maxConnections,
    // Over another connection, where an idle one turns out to be gone; more tries are the caller's.
    maxRequeues: 1,
  })
  return {
    async send({ to, raw, from: own = from }) {
      const signal = AbortSignal.timeout(timeout)
      // RFC 6152: what was received with bytes beyond ASCII goes on with them.
      const envelope = { from: own, to, use8BitMime: true }
      try {
        await transport.sendMail({ envelope, raw: asBuffer(raw), signal })
      } catch (cause) {
        const { response } = cause as RelayError
        if (isFinal(cause as RelayError)) throw new MailRefused('The relay refused it', statusOf(response), { cause })
        throw cause
      }
    },
    async close() {
      // What goes through after this is written down by nobody, and would come a second time.
      transport.close({ force: true })
    },
  }
}

interface RelayError {
  permanent?: boolean
  command?: string
  /** What the relay said. */
  response?: string
}

/** The same memory: a mail may be large. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

const statusOf = (response = ''): string | null => /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null

/** What is refused before the recipient is named is a fault of the settings, which somebody may mend. */
const isFinal = ({ permanent, command }: RelayError): boolean =>
  permanent === true && (command === 'RCPT TO' || command === 'DATA')

import { createTransport } from 'nodemailer'
import { MailRefused, type Outbound } from '#core/email/email.ts'

export interface RelayOptions {
  /**
   * `smtp://` or `smtps://`, with user and password if the relay requires them. Options of nodemailer may be in the
   * query.
   */
  url: string
  /** The name in EHLO (RFC 5321 4.1.1.1). The relay writes it into each message, so it is not the name of a machine. */
  name: string
  /** The reverse-path of emails without their own. */
  from: string
  /** For one email, from connecting to the reply, in milliseconds. */
  timeout: number
  maxConnections: number
}

/** Connection options of a relay for nodemailer. */
export function connectionTo({ url, timeout }: Pick<RelayOptions, 'url' | 'timeout'>) {
  const { protocol, username } = new URL(url)
  return {
    // A password is never sent in the clear, unless the URL says `?requireTLS=false`.
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

/**
 * Hands emails to a relay. Rejects with `MailRefused` if it permanently refuses recipient or content (5yz, RFC 5321
 * 4.2.1).
 */
export function createRelay({ url, name, from, timeout, maxConnections }: RelayOptions): Outbound {
  const transport = createTransport({
    ...connectionTo({ url, timeout }),
    name,
    pool: true,
    maxConnections,
    // Retries over another connection if an idle one is closed. Further attempts are up to the caller.
    maxRequeues: 1,
  })
  return {
    async send({ to, raw, from: own = from }) {
      const signal = AbortSignal.timeout(timeout)
      // RFC 6152: a message that was received with 8-bit bytes is forwarded with them.
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
      // A delivery that succeeds after this is not recorded, and would be repeated.
      transport.close({ force: true })
    },
  }
}

interface RelayError {
  permanent?: boolean
  command?: string
  /** The relay's reply. */
  response?: string
}

/** Shares the memory, because a message may be large. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

const statusOf = (response = ''): string | null => /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null

/** A refusal before the recipient is named is a fault of the settings, which can be corrected. */
const isFinal = ({ permanent, command }: RelayError): boolean =>
  permanent === true && (command === 'RCPT TO' || command === 'DATA')

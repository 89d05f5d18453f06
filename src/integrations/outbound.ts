import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { MailRefused, type Outbound, type OutboundMail } from '#core/letter.ts'
import type { Clock, Logger } from '#core/ports.ts'

export interface RelayOptions {
  /** `smtp://` or `smtps://`, with user and password where the relay wants them; nodemailer's options may stand in its query. */
  url: string
  /** Reverse-path of the mails. */
  from: string
  /** For one mail, from connecting to the reply, in milliseconds. */
  timeout: number
  maxConnections: number
}

/** Hands mails to a relay. Rejects with `MailRefused` where it refuses recipient or content for good (5yz, RFC 5321 4.2.1). */
export function createRelay({ url, from, timeout, maxConnections }: RelayOptions): Outbound {
  const { protocol, username } = new URL(url)
  const transport = createTransport({
    // A password never travels in clear, unless the URL says `?requireTLS=false`.
    requireTLS: protocol === 'smtp:' && username !== '',
    pool: true,
    maxConnections,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    dnsTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    url,
  })
  return {
    async send({ to, raw }) {
      const signal = AbortSignal.timeout(timeout)
      try {
        await transport.sendMail({ envelope: { from, to }, raw: Buffer.from(raw), signal })
      } catch (error) {
        if (isFinal(error as RelayError)) throw new MailRefused('The relay refused it', { cause: error })
        throw error
      }
    },
    async close() {
      transport.close()
    },
  }
}

interface RelayError {
  permanent?: boolean
  command?: string
}

/** What is refused before the recipient is named is a fault of the settings, which somebody may mend. */
const isFinal = ({ permanent, command }: RelayError): boolean =>
  permanent === true && (command === 'RCPT TO' || command === 'DATA')

/** Where there is no relay: mails become files that only this user may read, and a line in the log. */
export function createOutbox(directory: string, { clock, logger }: { clock: Clock; logger: Logger }): Outbound {
  return {
    async send({ name, raw }: OutboundMail) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const time = new Date(clock()).toISOString().replaceAll(/[:.]/g, '')
      const file = `${time}-${name}.eml`
      // Under another name first, so that whoever waits for it finds the whole of it.
      const draft = join(directory, `.${file}`)
      await writeFile(draft, raw, { mode: 0o600 })
      await rename(draft, join(directory, file))
      logger.info({ file }, 'mail written to the outbox')
    },
    async close() {},
  }
}

import { isIPv6 } from 'node:net'

interface Trace {
  /** The client's HELO name as sent. `receivedHeader` replaces unsafe characters. */
  helo: string
  /** Normalized by `clientAddress()`. */
  clientAddress: string
  hostname: string
  /** EHLO, SMTPUTF8 and TLS, which determine the name of the protocol. */
  esmtp: boolean
  utf8: boolean
  tls: boolean
  id: string
  /** A single recipient is named. Several are not, so that no recipient learns of the others (RFC 5321 4.4). */
  recipients: readonly string[]
  /** Milliseconds since the epoch. */
  receivedAt: number
}

/** Returns the trace header field that this server puts before a message (RFC 5321 4.4), with its CRLF. */
export function receivedHeader(trace: Trace): string {
  const { helo, clientAddress, hostname, id, recipients, receivedAt } = trace
  const literal = isIPv6(clientAddress) ? `[IPv6:${clientAddress}]` : `[${clientAddress}]`
  const [recipient] = recipients
  const forClause = recipients.length === 1 && recipient !== undefined ? `\r\n\tfor <${recipient}>` : ''
  return (
    `Received: from ${helo.replace(/[^\w.:[\]-]/g, '?')} (${literal})\r\n` +
    `\tby ${hostname} (Mayfly) with ${protocolOf(trace)} id ${id}${forClause};\r\n\t${mailDate(receivedAt)}\r\n`
  )
}

/** Returns the protocol name of RFC 3848 and RFC 6531 4.3. */
function protocolOf({ esmtp, utf8, tls }: Trace): string {
  const secure = tls ? 'S' : ''
  if (utf8) return `UTF8SMTP${secure}`
  return esmtp || tls ? `ESMTP${secure}` : 'SMTP'
}

let lastSecond = { at: -1, text: '' }

/**
 * Formats a date in UTC (RFC 5322 3.3). Cached for one second, because formatting costs more than the rest of the
 * header.
 */
function mailDate(time: number): string {
  const at = Math.floor(time / 1000)
  if (at !== lastSecond.at) lastSecond = { at, text: new Date(time).toUTCString().replace(/GMT$/, '+0000') }
  return lastSecond.text
}

import { isIPv6 } from 'node:net'

export interface Trace {
  /** What the client called itself; whatever it sent is made harmless here. */
  helo: string
  /** Without zone, IPv4 not mapped. */
  clientAddress: string
  hostname: string
  /** HELO or EHLO, SMTPUTF8 asked for, over TLS: make the protocol name. */
  esmtp: boolean
  utf8: boolean
  tls: boolean
  id: string
  /** Named only where there is one: nobody learns who else got the mail (RFC 5321 4.4). */
  recipients: readonly string[]
  /** Milliseconds since the epoch. */
  receivedAt: number
}

/** The trace header field that this server puts before a mail (RFC 5321 4.4), with its CRLF. */
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

/** RFC 3848 and RFC 6531 4.3 */
function protocolOf({ esmtp, utf8, tls }: Trace): string {
  const secure = tls ? 'S' : ''
  if (utf8) return `UTF8SMTP${secure}`
  return esmtp || tls ? `ESMTP${secure}` : 'SMTP'
}

let lastSecond = { at: -1, text: '' }

/** RFC 5322 3.3, in UTC; made once a second, as it costs more than the rest of the header. */
function mailDate(time: number): string {
  const at = Math.floor(time / 1000)
  if (at !== lastSecond.at) lastSecond = { at, text: new Date(time).toUTCString().replace(/GMT$/, '+0000') }
  return lastSecond.text
}

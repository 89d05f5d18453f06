import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as startTls, type TLSSocket } from 'node:tls'
import type { ProbedReceiver } from '#core/operating/probes.ts'

interface SmtpProbeOptions {
  port: number
  /** Timeout from connecting to the certificate, in milliseconds. */
  timeout: number
  /** Trusted certificates instead of the system's, in PEM format. */
  ca: string | undefined
}

/** The last line of a reply (RFC 5321 4.2). */
const LAST_LINE = /^\d{3}(?: .*)?\r?\n/m
const REPLY_MAX_BYTES = 64 * 1024

/** Connects to a mail server up to the TLS handshake and sends no email. Rejects if it is not a mail server. */
export async function probeReceiver(
  address: string,
  name: string,
  { port, timeout, ca }: SmtpProbeOptions,
): Promise<ProbedReceiver> {
  const signal = AbortSignal.timeout(timeout)
  const socket = connect({ host: address, port, signal })
  // The awaited events reject on errors. Later errors do not matter.
  socket.on('error', () => {})
  try {
    const greeting = (await reply(socket, '220', signal)).slice(4).split('\r\n', 1)[0]?.trim() ?? ''
    socket.write('EHLO doctor.invalid\r\n')
    if (!/^250[ -]STARTTLS\b/im.test(await reply(socket, '250', signal))) return { greeting, certificate: null }
    socket.write('STARTTLS\r\n')
    await reply(socket, '220', signal)
    const secure = startTls({
      socket,
      servername: name,
      rejectUnauthorized: false,
      ...(ca === undefined ? {} : { ca }),
    })
    secure.on('error', () => {})
    await once(secure, 'secureConnect', { signal })
    const validTo = Date.parse(secure.getPeerCertificate().valid_to)
    return { greeting, certificate: { problem: secure.authorized ? null : problemOf(secure), validTo } }
  } finally {
    socket.destroy()
  }
}

/** Returns the error code. Node's types declare an `Error`. */
const problemOf = ({ authorizationError }: TLSSocket): string => String(authorizationError)

/** Reads the next complete reply. Rejects unless it has this code. */
async function reply(socket: Socket, code: string, signal: AbortSignal): Promise<string> {
  let text = ''
  while (!LAST_LINE.test(text)) {
    await once(socket, 'readable', { signal })
    const chunk = socket.read() as Buffer | null
    if (chunk === null) throw new Error('the server closes the connection')
    text += chunk.toString('latin1')
    if (text.length > REPLY_MAX_BYTES) throw new Error('the reply is longer than 64 KB')
  }
  if (!text.startsWith(code)) throw new Error(`the reply is ${text.split('\r\n', 1)[0]}`)
  return text
}

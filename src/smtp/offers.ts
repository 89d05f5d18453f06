import { isLoopback } from '#core/networks.ts'
import { MECHANISMS } from './auth.ts'
import type { DialogueDeps } from './dialogue-deps.ts'
import type { SmtpOptions } from './options.ts'
import { multiline, replies } from './replies.ts'

/** The extensions that a session offers to some clients only. */
export interface Offers {
  startTls: boolean
  auth: boolean
}

/** Returns the offers for a client, given by its address as normalized by `clientAddress()`. */
export function offersFor(
  clientAddress: string,
  { startTls, auth, isLocalSite, certificate }: Pick<SmtpOptions, 'startTls' | 'auth' | 'isLocalSite' | 'certificate'>,
): Offers {
  const isLocalClient = isLocalSite && isLoopback(clientAddress)
  return {
    startTls: startTls === 'auto' ? !isLocalClient || certificate !== undefined : startTls === 'on',
    auth: auth === 'auto' ? isLocalClient : auth === 'on',
  }
}

/** Returns the reply to HELP (RFC 5321 4.1.1.8) with the commands that the client can use. */
export const helpReply = (startTls: boolean, auth: boolean): string =>
  `214 2.0.0 EHLO HELO MAIL RCPT DATA RSET NOOP QUIT HELP VRFY${startTls ? ' STARTTLS' : ''}${auth ? ' AUTH' : ''}; see RFC 5321\r\n`

/** Returns the reply to EHLO (RFC 5321 4.1.1.1). */
export function ehloReply(
  { hostname, maxMessageBytes }: Pick<SmtpOptions, 'hostname' | 'maxMessageBytes'>,
  startTls: boolean,
  auth: boolean,
): string {
  const offers = [...(startTls ? ['STARTTLS'] : []), ...(auth ? [`AUTH ${MECHANISMS.join(' ')}`] : [])]
  const extensions = ['PIPELINING', `SIZE ${maxMessageBytes}`, 'ENHANCEDSTATUSCODES', '8BITMIME', 'SMTPUTF8', 'HELP']
  return multiline(250, [hostname, ...offers, ...extensions])
}

/** Returns the reply to STARTTLS: without a certificate, the client may go on in clear text (RFC 3207 4). */
export const tlsReply = ({ secureContext }: Pick<DialogueDeps, 'secureContext'>): Promise<string> =>
  secureContext().then(
    () => replies.readyForTls,
    () => replies.tlsUnavailable,
  )

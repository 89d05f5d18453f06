import type { PathFault } from './commands.ts'

/** The replies of the receiver itself (RFC 5321 4.2, enhanced codes of RFC 3463), each with its CRLF. */
export const replies = {
  ok: '250 2.0.0 OK\r\n',
  senderOk: '250 2.1.0 Sender OK\r\n',
  recipientOk: '250 2.1.5 Recipient OK\r\n',
  accepted: '250 2.6.0 Message accepted\r\n',
  startData: '354 Start mail input; end with <CRLF>.<CRLF>\r\n',
  readyForTls: '220 2.0.0 Ready to start TLS\r\n',
  tlsUnavailable: '454 4.7.0 TLS not available due to temporary reason\r\n',
  authenticated: '235 2.7.0 Authentication successful\r\n',
  bye: '221 2.0.0 Bye\r\n',
  cannotVerify: '252 2.5.0 Cannot VRFY, but will take mail and attempt delivery\r\n',

  shuttingDown: '421 4.3.2 Service shutting down\r\n',
  tooManyConnections: '421 4.7.0 Too many connections, try again later\r\n',
  tooManyCommands: '421 4.7.0 Too many commands in one session\r\n',
  tooManyMessages: '421 4.7.0 Too many messages in one session\r\n',
  tooManyErrors: '421 4.7.0 Too many errors\r\n',
  tooManyRefused: '421 4.7.0 Too many refused recipients\r\n',
  notSmtp: '421 4.7.0 This is an SMTP server\r\n',
  commandTimeout: '421 4.4.2 Timeout waiting for a command or a message\r\n',
  dataTimeout: '421 4.4.2 Timeout waiting for data\r\n',
  stalled: '421 4.4.2 Too slow while others wait, try again later\r\n',
  tooSlow: '421 4.4.2 Data comes too slowly\r\n',

  tooMuchMail: '451 4.7.1 Too much mail from your network, try again later\r\n',
  tooManyGuesses: '451 4.7.1 Too many unknown recipients from your network, try again later\r\n',
  outOfMemory: '452 4.3.1 Insufficient system storage\r\n',
  tooManyRecipients: '452 4.5.3 Too many recipients\r\n',
  tooManyCopies: '452 4.5.3 Too many recipients for a message of this size\r\n',
  otherSizeLimit: '452 4.5.3 Too many recipients: send to this one apart, or say the SIZE\r\n',

  unknownCommand: '500 5.5.1 Unknown command\r\n',
  commandTooLong: '500 5.5.6 Line too long\r\n',
  commandSyntax: '500 5.5.2 Syntax error\r\n',
  mailSyntax: '501 5.5.4 Syntax: MAIL FROM:<address> [parameters]\r\n',
  pathTooLong: '501 5.1.7 Path too long\r\n',
  rcptSyntax: '501 5.5.4 Syntax: RCPT TO:<address>\r\n',
  heloSyntax: '501 5.5.4 Syntax: HELO or EHLO and the name of the client\r\n',
  authCanceled: '501 5.7.0 Authentication canceled\r\n',
  noArgument: '501 5.5.4 No parameters allowed\r\n',
  badParameter: '501 5.5.4 Bad value of a parameter\r\n',
  notImplemented: '502 5.5.1 Command not implemented\r\n',
  helloFirst: '503 5.5.1 Send EHLO or HELO first\r\n',
  mailFirst: '503 5.5.1 Send MAIL first\r\n',
  nestedMail: '503 5.5.1 A message is open already\r\n',
  authenticatedAlready: '503 5.5.1 Already authenticated\r\n',
  unknownMechanism: '504 5.5.4 Unknown authentication mechanism\r\n',
  alreadyTls: '503 5.5.1 TLS is active already\r\n',
  bareLf: '521 5.5.2 Lines must end in CRLF\r\n',
  tooBig: '552 5.3.4 Message too big\r\n',
  headerTooBig: '552 5.3.4 Header section too big\r\n',
  needsSmtputf8: '553 5.6.7 A non-ASCII address needs SMTPUTF8\r\n',
  noRecipients: '554 5.5.1 No valid recipients\r\n',
  earlyTalker: '554 5.5.1 You spoke before the greeting\r\n',
  tooManyHops: '554 5.4.6 Too many hops, this mail is in a loop\r\n',
  dataLineTooLong: '554 5.6.0 A line is too long\r\n',
  unknownParameter: '555 5.5.4 Unknown parameter\r\n',
} as const

/** Returns the reply to a path that cannot be used. `syntax` is the reply to one that is not well-formed. */
export function pathReply(fault: PathFault, syntax: string): string {
  if (fault === 'too-long') return replies.pathTooLong
  return fault === 'needs-smtputf8' ? replies.needsSmtputf8 : syntax
}

/** Returns a reply of several lines, each with the code before it. */
export function multiline(code: number, lines: readonly string[]): string {
  return lines.map((line, index) => `${code}${index === lines.length - 1 ? ' ' : '-'}${line}\r\n`).join('')
}

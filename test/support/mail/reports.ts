/** A part of a multipart message with its header fields and its text. */
const part = (type: string, text: string): string => `--=_x\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`

const report = (type: string, to: string, ...parts: string[]): string =>
  [
    'From: Mail Delivery System <mailer-daemon@real.example>',
    `To: ${to}`,
    'Subject: Report',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="=_x"`,
    '',
    `${parts.join('')}--=_x--\r\n`,
  ].join('\r\n')

/** A bounce (RFC 3464) of a message to one recipient. */
export const bounceTo = (to: string, { status = '5.1.1', action = 'failed' } = {}): string =>
  report(
    'delivery-status',
    to,
    part('text/plain', 'It could not be delivered.'),
    part(
      'message/delivery-status',
      `Reporting-MTA: dns; relay.example\r\n\r\nFinal-Recipient: rfc822; reader@real.example\r\nAction: ${action}\r\nStatus: ${status}`,
    ),
  )

/** A complaint of a mailbox provider (RFC 5965). */
export const complaintTo = (to: string, mail: string): string =>
  report(
    'feedback-report',
    to,
    part('text/plain', 'This is an abuse report.'),
    part('message/feedback-report', 'Feedback-Type: abuse\r\nUser-Agent: Provider/1.0\r\nVersion: 1'),
    part('message/rfc822', mail),
  )

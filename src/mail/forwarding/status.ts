/** An enhanced status code (RFC 3463) that is not part of a longer number or an IP address. */
const ENHANCED = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d]|\.\d)/
/** A reply code (RFC 5321 4.2) as in a quoted reply of a server. */
const REPLY = /(?<![\d.])([45])\d\d(?=[ -])/

/** Returns the enhanced status code in a text, or one made from an SMTP reply code. */
export function statusIn(text = ''): string | undefined {
  const enhanced = ENHANCED.exec(text)?.[0]
  if (enhanced) return enhanced
  const reply = REPLY.exec(text)?.[1]
  return reply && `${reply}.0.0`
}

/** Message too large, invalid content or policy violation (RFC 3463 3.4, 3.7, 3.8). */
const ABOUT_THE_MAIL = /^5\.(?:3\.4|[67]\.\d+)$/

/** Whether a refusal with this status concerns only the message, not the mailbox. */
export const isAboutTheMail = (status: string | null): boolean => ABOUT_THE_MAIL.test(status ?? '')

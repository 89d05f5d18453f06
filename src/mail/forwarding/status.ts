/** RFC 3463: not within a longer number or an IP address. */
const ENHANCED = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d]|\.\d)/
/** RFC 5321 4.2: a reply of its own, as servers are quoted. */
const REPLY = /(?<![\d.])([45])\d\d(?=[ -])/

/** The enhanced status code that a text tells of, made of an SMTP reply code where there is nothing better. */
export function statusIn(text = ''): string | undefined {
  const enhanced = ENHANCED.exec(text)?.[0]
  if (enhanced) return enhanced
  const reply = REPLY.exec(text)?.[1]
  return reply && `${reply}.0.0`
}

/** Too large, unfit in its content, or against a policy (RFC 3463 3.4, 3.7, 3.8). */
const ABOUT_THE_MAIL = /^5\.(?:3\.4|[67]\.\d+)$/

/** Whether a refusal with this status says something of the mail alone, and nothing of the mailbox. */
export const isAboutTheMail = (status: string | null): boolean => ABOUT_THE_MAIL.test(status ?? '')

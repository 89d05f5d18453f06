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

/**
 * The statuses that say that a mailbox is gone: there is no such mailbox, domain or address, it has moved (5.1.10 is a null
 * MX, RFC 7505), it is disabled, its host has no route (RFC 3463 3.2, 3.3, 3.5), or DATA had no valid recipient (RFC 2920
 * 3.1).
 */
const GONE = /^5\.(?:1\.(?:[1236]|10)|2\.1|4\.[14]|5\.1)$/

/**
 * Whether a refusal with this status says that the mailbox is gone. Any other may be caused by the content or the size
 * of the message.
 */
export const isMailboxGone = (status: string | null): boolean => GONE.test(status ?? '')

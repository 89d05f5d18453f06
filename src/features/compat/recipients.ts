import type { MessageHead, MessageSummary } from '#core/mailbox/message.ts'

const isNamed = (recipient: string, { to, cc, bcc }: MessageHead): boolean =>
  [...to, ...cc, ...bcc].some(({ address }) => address.toLowerCase() === recipient.toLowerCase())

/**
 * Returns what the headers say about a message. A recipient whom they do not name got a blind copy. Summaries of
 * earlier versions have only the recipient.
 */
export function headOf({ head, to: recipient }: Pick<MessageSummary, 'head' | 'to'>): MessageHead {
  const mailbox = { name: '', address: recipient }
  if (!head) return { messageId: '', to: [mailbox], cc: [], bcc: [], replyTo: [] }
  return recipient === '' || isNamed(recipient, head) ? head : { ...head, bcc: [...head.bcc, mailbox] }
}

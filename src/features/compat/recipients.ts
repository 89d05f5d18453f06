import type { MessageHead, MessageSummary } from '#core/mailbox/message.ts'

/**
 * Returns what the headers say about a message. Recipients whom they do not name got a blind copy. Summaries of
 * earlier versions have only the recipient.
 */
export function headOf({ head, recipients }: Pick<MessageSummary, 'head' | 'recipients'>): MessageHead {
  const mailboxOf = (address: string) => ({ name: '', address })
  if (!head) return { messageId: '', to: recipients.map(mailboxOf), cc: [], bcc: [], replyTo: [] }
  const named = new Set([...head.to, ...head.cc, ...head.bcc].map(({ address }) => address.toLowerCase()))
  const blind = recipients.filter((recipient) => !named.has(recipient.toLowerCase()))
  return blind.length === 0 ? head : { ...head, bcc: [...head.bcc, ...blind.map(mailboxOf)] }
}

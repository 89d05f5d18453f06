import type { HomeData } from '#contract/pages.ts'

/** An open message, as its page gets it. */
export type MessageData = NonNullable<HomeData['message']>

/** Bytes by which the copy of an invitation may differ: line breaks at its end. */
const LINE_BREAKS = 4

/**
 * Returns the attachments to list: all but the copy of the invitation that the card offers. Many senders add an invitation
 * twice, as text and as a file of the same name. The archive with all attachments has both.
 */
export function listedAttachments({
  calendar,
  attachments,
}: Pick<MessageData, 'calendar' | 'attachments'>): MessageData['attachments'] {
  const invitation = attachments.find(({ index }) => index === calendar?.attachment)
  if (!invitation) return attachments
  return attachments.filter(
    ({ index, filename, size }) =>
      index === invitation.index || filename !== invitation.filename || Math.abs(size - invitation.size) > LINE_BREAKS,
  )
}

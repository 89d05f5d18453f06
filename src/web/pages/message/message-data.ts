import type { HomeData } from '#contract/pages.ts'

/** An open message, as its page gets it. */
export type MessageData = NonNullable<HomeData['message']>

/**
 * Returns the attachments to list: all but copies of the invitation that the card offers. A node of an earlier version does
 * not name any.
 */
export const listedAttachments = ({
  calendar,
  attachments,
}: Pick<MessageData, 'calendar' | 'attachments'>): MessageData['attachments'] =>
  attachments.filter(({ index }) => !(calendar?.copies as number[] | undefined)?.includes(index))

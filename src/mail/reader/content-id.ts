import type { Attachment as Part } from 'postal-mime'

/** Returns the Content-ID of a part without angle brackets, or an empty string. */
export const contentId = (part: Part): string => (part.contentId ?? '').replace(/^<|>$/g, '')

import type { SummaryContent } from '#core/mailbox/message.ts'
import { fromUtf8, toUtf8 } from '../bytes.ts'

/**
 * Encodes a stored summary as JSON. Of a message to a fully private address the server knows only the authentication.
 */
export const packSummary = (content: SummaryContent | Pick<SummaryContent, 'authentication'>): Uint8Array =>
  fromUtf8(JSON.stringify(content))

export const unpackSummary = (plaintext: Uint8Array): SummaryContent => JSON.parse(toUtf8(plaintext)) as SummaryContent

import type { SummaryContent } from '#core/mailbox/message.ts'
import { fromUtf8, toUtf8 } from '../bytes.ts'

/**
 * The plaintext of a kept summary: JSON. Of a mail that is read in the owner's browser alone the server knows one part
 * of it.
 */
export const packSummary = (content: SummaryContent | Pick<SummaryContent, 'authentication'>): Uint8Array =>
  fromUtf8(JSON.stringify(content))

export const unpackSummary = (plaintext: Uint8Array): SummaryContent => JSON.parse(toUtf8(plaintext)) as SummaryContent

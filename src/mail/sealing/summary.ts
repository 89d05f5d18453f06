import type { SummaryContent } from '#core/message.ts'

/** The plaintext of a kept summary: JSON. */
export function packSummary(content: SummaryContent): Uint8Array {
  return Buffer.from(JSON.stringify(content))
}

export function unpackSummary(plaintext: Uint8Array): SummaryContent {
  return JSON.parse(Buffer.from(plaintext).toString()) as SummaryContent
}

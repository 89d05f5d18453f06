import type { Envelope, SummaryContent } from '#core/mailbox/message.ts'
import { fromUtf8, toUtf8 } from '../bytes.ts'

const LENGTH_BYTES = 4

/** Packs envelope and raw message: the length of the envelope's JSON (big endian), the JSON, the message. */
export function packBody(envelope: Envelope, raw: Uint8Array): Uint8Array {
  const json = Buffer.from(JSON.stringify(envelope))
  const head = Buffer.alloc(LENGTH_BYTES)
  head.writeUInt32BE(json.length)
  return Buffer.concat([head, json, raw])
}

/** Unpacks envelope and raw message. Also works in browsers. */
export function unpackBody(body: Uint8Array): { envelope: Envelope; raw: Uint8Array } {
  const end = LENGTH_BYTES + new DataView(body.buffer, body.byteOffset).getUint32(0)
  return { envelope: JSON.parse(toUtf8(body.subarray(LENGTH_BYTES, end))) as Envelope, raw: body.subarray(end) }
}

/**
 * Encodes a stored summary as JSON. Of a message to a fully private address the server knows only authentication and
 * origin.
 */
export const packSummary = (content: SummaryContent | Pick<SummaryContent, 'authentication' | 'origin'>): Uint8Array =>
  fromUtf8(JSON.stringify(content))

/** Decodes a stored summary. Old ones have no candidates. */
export const unpackSummary = (plaintext: Uint8Array): SummaryContent => ({
  candidates: [],
  ...(JSON.parse(toUtf8(plaintext)) as Omit<SummaryContent, 'candidates'>),
})

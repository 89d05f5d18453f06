import type { Envelope } from '#core/mailbox/message.ts'
import { toUtf8 } from '../bytes.ts'

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

import type { Envelope } from '#core/message.ts'

const LENGTH_BYTES = 4

/** Envelope and raw mail in one piece: the length of the envelope's JSON (big endian), the JSON, the mail. */
export function packBody(envelope: Envelope, raw: Uint8Array): Uint8Array {
  const json = Buffer.from(JSON.stringify(envelope))
  const head = Buffer.alloc(LENGTH_BYTES)
  head.writeUInt32BE(json.length)
  return Buffer.concat([head, json, raw])
}

export function unpackBody(body: Uint8Array): { envelope: Envelope; raw: Uint8Array } {
  const view = Buffer.from(body.buffer, body.byteOffset, body.length)
  const end = LENGTH_BYTES + view.readUInt32BE()
  return { envelope: JSON.parse(view.toString('utf8', LENGTH_BYTES, end)) as Envelope, raw: view.subarray(end) }
}

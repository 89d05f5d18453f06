const NAME = /^return-path:/i
const LF = 10

/**
 * Returns the message without the Return-Path (RFC 5321 4.4) that was added when it was stored. Shares the memory of
 * `raw`.
 */
export function withoutReturnPath(raw: Uint8Array): Uint8Array {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, 'return-path:'.length)).toString('latin1')
  return NAME.test(start) ? raw.subarray(raw.indexOf(LF) + 1 || raw.length) : raw
}

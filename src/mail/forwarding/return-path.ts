const NAME = /^return-path:/i
const LF = 10

/** The mail as it came, without the Return-Path (RFC 5321 4.4) that was put on top when it was stored. Shares its memory. */
export function withoutReturnPath(raw: Uint8Array): Uint8Array {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, 'return-path:'.length)).toString('latin1')
  return NAME.test(start) ? raw.subarray(raw.indexOf(LF) + 1 || raw.length) : raw
}

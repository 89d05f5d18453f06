/**
 * Values one after the other, where each begins (from 1, as SQL counts) and how long it is: one parameter for all of
 * them.
 */
export interface Packed {
  bytes: Uint8Array
  starts: number[]
  lengths: number[]
}

/** An array of bytea would travel as hexadecimal text; this does not. */
export function packed(values: readonly Uint8Array[]): Packed {
  const lengths = values.map(({ length }) => length)
  let next = 1
  return { bytes: Buffer.concat(values), starts: lengths.map((length) => (next += length) - length), lengths }
}

/** Concatenated values, with the start (from 1, as in SQL) and length of each: one parameter for all values. */
export interface Packed {
  bytes: Uint8Array
  starts: number[]
  lengths: number[]
}

/** Packs values. An array of bytea would be sent as hexadecimal text; one bytea parameter is not. */
export function packed(values: readonly Uint8Array[]): Packed {
  const lengths = values.map(({ length }) => length)
  let next = 1
  return { bytes: Buffer.concat(values), starts: lengths.map((length) => (next += length) - length), lengths }
}

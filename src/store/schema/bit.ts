/** A boolean as both engines store it: an integer. */
export type Bit = 0 | 1

export const toBit = (value: boolean): Bit => (value ? 1 : 0)

/** Null stands for 0 in columns that a migration added without a default. */
export const fromBit = (bit: Bit | null): boolean => bit === 1

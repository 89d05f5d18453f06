/** Characters that show all text after them in one direction: Latin letters too from right to left (UAX 9). */
const OVERRIDES = /[\u202d\u202e]/g

/** Removes direction overrides, with which a text reads as another one. No language needs them. */
export const withoutOverrides = (text: string): string => text.replace(OVERRIDES, '')

/** Returns a text for use within a sentence, whose direction follows from its first letter and not from the sentence. */
export const isolated = (text: string): string => `\u2068${text}\u2069`

/** Returns a text for use within a sentence that is always read from left to right, such as a URL or a price. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`

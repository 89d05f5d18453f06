/** Inputs that show no text, or none that can be read. */
const WITHOUT_TEXT = new Set('checkbox color file hidden image password radio range'.split(' '))

/** Returns the text that an `<input>` shows. */
export const textOfInput = ({ type = '', value = '' }: { type?: string; value?: string }): string =>
  WITHOUT_TEXT.has(type.trim().toLowerCase()) ? '' : value

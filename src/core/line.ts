/** Nothing that ends a line, moves a cursor or turns the direction of the text around it. */
// oxlint-disable-next-line no-control-regex -- they are what is meant
const NOT_IN_A_LINE = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/g

/** What somebody wrote as one harmless line, without spaces around it; empty where nothing is left. */
export const lineOf = (text = ''): string => text.toWellFormed().replace(NOT_IN_A_LINE, ' ').replace(/\s+/g, ' ').trim()

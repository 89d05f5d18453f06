/** Building blocks of patterns of words. */

/** Letters and marks: `\b` knows only ASCII, and takes the `_` of `otp_code` for a letter. */
export const START = String.raw`(?<![\p{L}\p{M}])`
export const END = String.raw`(?![\p{L}\p{M}])`
/** Stems, at any place in a word. */
export const anyOf = (...stems: string[]): RegExp => new RegExp(stems.join('|').normalize('NFC'), 'u')
export const word = (...words: string[]): string => `${START}(?:${words.join('|')})${END}`
/** Stems that are also the end of other words. */
export const starting = (...stems: string[]): string => `${START}(?:${stems.join('|')})`

/** Ends of what a field asks for. What follows explains it: "Email (we send a code)", "Code – check your email". */
const CLAUSE_END = /[()[\]（）【】.,:;!?。，、：；！？।۔،؛؟።፣፡၊။|\n]|\s[-–—]\s/u

export const clausesOf = (text: string): string[] => text.split(CLAUSE_END).filter((clause) => clause.trim())

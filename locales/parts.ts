/** The files of the browser that the messages of a language are in: what every page says, and what those of an account say beyond it. */
export const PARTS = ['site', 'account'] as const
export type Part = (typeof PARTS)[number]

/** The file that a message is in; null where only the server says it. */
export function partOf(key: string): Part | null {
  if (key.endsWith('Keywords') || key.startsWith('mail.')) return null
  return /^(?:account|checkout|private)\./.test(key) ? 'account' : 'site'
}

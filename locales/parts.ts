/** The files of the browser that the messages of a language are in: what every page says, and what those of an account or of forwarding say beyond it. */
export const PARTS = ['site', 'account', 'forwarding'] as const
export type Part = (typeof PARTS)[number]

/** The file that a message is in; null where only the server says it. */
export function partOf(key: string): Part | null {
  if (key.endsWith('Keywords') || key.startsWith('mail.')) return null
  if (/^(?:account|checkout|private)\./.test(key)) return 'account'
  return /^(?:forwarding\.|forwarded\.|problem\.(?:forwarding|destination))/.test(key) ? 'forwarding' : 'site'
}

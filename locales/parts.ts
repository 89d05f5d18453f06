/** The message files of a language: `site` for every page, the others only for account and forwarding pages. */
export const PARTS = ['site', 'account', 'forwarding'] as const
export type Part = (typeof PARTS)[number]

/** The file of a message; null if only the server uses it. */
export function partOf(key: string): Part | null {
  if (key.endsWith('Keywords') || key.startsWith('mail.')) return null
  if (/^(?:account|checkout|private)\./.test(key)) return 'account'
  return /^(?:forwarding\.|forwarded\.|problem\.(?:forwarding|destination))/.test(key) ? 'forwarding' : 'site'
}

/** The message files of a language: `site` for every page, the others only for an open message, account and forwarding. */
export const PARTS = ['site', 'message', 'account', 'forwarding'] as const
export type Part = (typeof PARTS)[number]

/** The file of a message; null if only the server uses it. */
export function partOf(key: string): Part | null {
  if (key.endsWith('Keywords') || key.startsWith('mail.')) return null
  if (/^(?:account|checkout|private)\./.test(key)) return 'account'
  if (/^(?:message|auth|calendar|links|trackers|unsubscribe|problem\.unsubscribe)(?:\.|_)/.test(key)) return 'message'
  return /^(?:forwarding\.|forwarded\.|problem\.(?:forwarding|destination))/.test(key) ? 'forwarding' : 'site'
}

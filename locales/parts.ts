/**
 * The message files of a language: `site` for every page, `message`, `account` and `forwarding` for their pages,
 * `deliveries` for a list that is opened on demand.
 */
export const PARTS = ['site', 'message', 'account', 'forwarding', 'deliveries'] as const
export type Part = (typeof PARTS)[number]

/** The file of a message; null if only the server or the browser extension uses it. */
export function partOf(key: string): Part | null {
  if (key.endsWith('Keywords') || /^(?:mail|extension)\./.test(key)) return null
  if (key.startsWith('deliveries.')) return 'deliveries'
  if (/^(?:account|checkout|private)\./.test(key)) return 'account'
  if (/^(?:message|auth|calendar|links|trackers|unsubscribe|problem\.unsubscribe)(?:\.|_)/.test(key)) return 'message'
  return /^(?:forwarding\.|forwarded\.|problem\.(?:forwarding|destination))/.test(key) ? 'forwarding' : 'site'
}

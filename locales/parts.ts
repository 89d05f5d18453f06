/**
 * The message files of a language: `site` for every page, `message`, `account` and `forwarding` for their pages,
 * `apps` for the page about the
 * installed app and for push notifications, `deliveries` for a list that is opened on demand.
 */
export const PARTS = ['site', 'message', 'account', 'forwarding', 'deliveries', 'apps'] as const
export type Part = (typeof PARTS)[number]

/** The file of a message; null if only the server or the browser extension uses it. */
export function partOf(key: string): Part | null {
  if (key.endsWith('Keywords') || /^(?:mail|manifest|extension)\./.test(key)) return null
  // Shown while the texts of another part are loaded.
  if (key === 'message.loading') return 'site'
  if (key.startsWith('deliveries.')) return 'deliveries'
  if (/^(?:apps|push|problem\.push)(?:\.|_)/.test(key)) return 'apps'
  if (/^(?:account|checkout|private)\./.test(key)) return 'account'
  if (/^(?:message|auth|calendar|links|trackers|unsubscribe|problem\.unsubscribe)(?:\.|_)/.test(key)) return 'message'
  return /^(?:forwarding\.|forwarded\.|problem\.(?:forwarding|destination))/.test(key) ? 'forwarding' : 'site'
}

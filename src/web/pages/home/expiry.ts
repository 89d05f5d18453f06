import { DAY, HOUR, MINUTE } from '#core/time.ts'
import type { MessageKey } from '../../i18n/text.tsx'

/** The text and the number that say when a message is deleted. Rounded down, so that it never promises too much. */
export function expiryOf(milliseconds: number): { key: MessageKey; count: number } {
  const left = Math.max(0, milliseconds)
  if (left >= 2 * DAY) return { key: 'inbox.deleted.days', count: Math.floor(left / DAY) }
  if (left >= HOUR) return { key: 'inbox.deleted.hours', count: Math.floor(left / HOUR) }
  return { key: 'inbox.deleted.minutes', count: Math.ceil(left / MINUTE) }
}

/** When a message is deleted, in milliseconds since the epoch: with its address at the latest. */
export const endOf = (expiresAt: string, addressEndsAt: string | undefined): number =>
  Math.min(Date.parse(expiresAt), addressEndsAt ? Date.parse(addressEndsAt) : Number.POSITIVE_INFINITY)

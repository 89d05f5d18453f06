import type { ForwardingOutcome } from '#core/forwarding/forwarding.ts'
import { countFields, headerSection } from './header-section.ts'

export interface GateLimits {
  /** Bytes of a mail, its trace fields included. */
  maxBytes: number
  /** Received fields of a mail. */
  maxHops: number
}

/** The name of the field that says that a mail was forwarded from here. */
export const MARK_FIELD = 'X-Mayfly-Forwarded'

/** What forbids to forward a mail, whoever sent it and wherever it would go; undefined where nothing does. */
export function forbids(raw: Uint8Array, { maxBytes, maxHops }: GateLimits): ForwardingOutcome | undefined {
  if (raw.length > maxBytes) return 'too-big'
  const head = headerSection(raw)
  if (head === undefined) return 'too-big'
  // Whoever made the mark: a mail that bears one has been through a forwarding, or wants it to be believed.
  if (countFields(head, MARK_FIELD, 1) > 0) return 'loop'
  return countFields(head, 'Received', maxHops + 1) > maxHops ? 'loop' : undefined
}

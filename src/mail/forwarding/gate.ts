import type { ForwardingOutcome } from '#core/forwarding/forwarding.ts'
import { countFields, headerSection } from './header-section.ts'

export interface GateLimits {
  /** Bytes of a message, including its trace fields. */
  maxBytes: number
  /** Received fields of a message. */
  maxHops: number
}

/** The name of the field that marks a message that was forwarded from here. */
export const MARK_FIELD = 'X-Mayfly-Forwarded'

/** Returns why a message must not be forwarded, regardless of its sender and destination. Undefined if it may be. */
export function forbids(raw: Uint8Array, { maxBytes, maxHops }: GateLimits): ForwardingOutcome | undefined {
  if (raw.length > maxBytes) return 'too-big'
  const head = headerSection(raw)
  if (head === undefined) return 'too-big'
  // The mark is not verified: a message that carries one has been forwarded, or pretends to have been.
  if (countFields(head, MARK_FIELD, 1) > 0) return 'loop'
  return countFields(head, 'Received', maxHops + 1) > maxHops ? 'loop' : undefined
}

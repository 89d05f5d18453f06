import type { AddressJson } from '#contract/addresses.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'

/** A free limit that the visitor has reached and that Premium raises. */
export interface Hint {
  kind: 'storage' | 'ended' | 'addresses'
  storage?: AddressJson['storage'] | undefined
}

/** The share of its storage from which an address counts as nearly full. */
const NEARLY_FULL = 0.8

export function hintOf({ address, ended, problem }: Pick<Inbox, 'address' | 'ended' | 'problem'>): Hint | null {
  if (problem?.code === 'too_many_requests' && !address) return { kind: 'addresses' }
  if (ended) return { kind: 'ended' }
  const storage = address && 'storage' in address ? (address as AddressJson).storage : undefined
  return storage && storage.usedBytes >= NEARLY_FULL * storage.limitBytes ? { kind: 'storage', storage } : null
}

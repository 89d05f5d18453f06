import type { AddressJson } from '#contract/addresses.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'

/** A limit of free use that the visitor feels at the moment, and that Premium would move. */
export interface Hint {
  kind: 'storage' | 'ended' | 'addresses'
  storage?: AddressJson['storage'] | undefined
}

/** From this part of its space on an address is nearly full. */
const NEARLY_FULL = 0.8

export function hintOf({ address, ended, problem }: Pick<Inbox, 'address' | 'ended' | 'problem'>): Hint | null {
  if (problem?.code === 'too_many_requests' && !address) return { kind: 'addresses' }
  if (ended) return { kind: 'ended' }
  const storage = address && 'storage' in address ? (address as AddressJson).storage : undefined
  return storage && storage.usedBytes >= NEARLY_FULL * storage.limitBytes ? { kind: 'storage', storage } : null
}

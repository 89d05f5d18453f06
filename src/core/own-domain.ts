import type { AddressId } from './ports.ts'
import type { SubscriptionId } from './subscription.ts'

/** `pending`: its records were not seen yet. `failing`: they were, and are gone since `failingSince`; mail is still taken. */
export type OwnDomainState = 'pending' | 'verified' | 'failing'

/** A domain that a subscriber brought. Several may claim one; at most one is its owner (`verified` or `failing`). */
export interface OwnDomain {
  /** Lower case, ASCII form. */
  name: string
  subscriptionId: SubscriptionId
  state: OwnDomainState
  createdAt: number
  checkedAt: number | null
  failingSince: number | null
  /** Where mail for logins that nobody has goes; null: nowhere. */
  catchAll: AddressId | null
}

export interface OwnDomainStore {
  /** False where the subscription has `max` already. Does nothing where it has this one. */
  add(domain: OwnDomain, max: number): Promise<boolean>
  list(subscriptionId: SubscriptionId): Promise<OwnDomain[]>
  find(subscriptionId: SubscriptionId, name: string): Promise<OwnDomain | undefined>
  /** The owner's, for mail that arrives. */
  owner(name: string): Promise<OwnDomain | undefined>
  /** Writes down a check; false where it would make a second owner. */
  check(
    subscriptionId: SubscriptionId,
    name: string,
    seen: Pick<OwnDomain, 'state' | 'checkedAt' | 'failingSince'>,
  ): Promise<boolean>
  setCatchAll(subscriptionId: SubscriptionId, name: string, catchAll: AddressId | null): Promise<boolean>
  remove(subscriptionId: SubscriptionId, name: string): Promise<boolean>
  /** Up to `limit` owned ones that were last checked before a time, longest ago first. */
  due(checkedBefore: number, limit: number): Promise<OwnDomain[]>
}

/** Looks up DNS; an answer that there is none is an empty list, a server that doesn't answer rejects. */
export interface DnsLookup {
  txt(name: string): Promise<string[]>
  /** Hosts, most preferred first, lower case, without the last dot. */
  mx(name: string): Promise<string[]>
}

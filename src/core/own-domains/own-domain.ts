import type { AddressId, SubscriptionId } from '../ids.ts'

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
  /** Which of its records were there at the last check. */
  txtFound: boolean
  mxFound: boolean
  /** Where mail for logins that nobody has goes; null: nowhere. */
  catchAll: AddressId | null
}

/** Milliseconds, from the configuration. */
export interface DomainRules {
  /** How long after its last check an owned domain is checked again. */
  interval: number
  /** How long mail is still taken for a domain whose records are gone. */
  failing: number
}

/** The state that counts: a domain that has been failing for too long is `pending`, also before its next check. */
export const stateOf = (
  { state, failingSince }: Pick<OwnDomain, 'state' | 'failingSince'>,
  rules: Pick<DomainRules, 'failing'>,
  now: number,
): OwnDomainState => (state === 'failing' && now >= (failingSince ?? 0) + rules.failing ? 'pending' : state)

/** What a check writes down. */
export type DomainCheck = Pick<OwnDomain, 'state' | 'checkedAt' | 'failingSince' | 'txtFound' | 'mxFound'>

/** A domain after a check that found these of its records. */
export function checked(
  domain: OwnDomain,
  found: Pick<OwnDomain, 'txtFound' | 'mxFound'>,
  rules: Pick<DomainRules, 'failing'>,
  now: number,
): DomainCheck {
  const seen = { ...found, checkedAt: now }
  if (found.txtFound && found.mxFound) return { ...seen, state: 'verified', failingSince: null }
  if (domain.state === 'pending') return { ...seen, state: 'pending', failingSince: null }
  const failing = { state: 'failing' as const, failingSince: domain.failingSince ?? now }
  const state = stateOf(failing, rules, now)
  return { ...seen, ...(state === 'pending' ? { state, failingSince: null } : failing) }
}

export interface OwnDomainStore {
  /** False where the subscription has `max` already. Does nothing where it has this one. */
  add(domain: OwnDomain, max: number): Promise<boolean>
  list(subscriptionId: SubscriptionId): Promise<OwnDomain[]>
  find(subscriptionId: SubscriptionId, name: string): Promise<OwnDomain | undefined>
  /** The owner's, for mail that arrives. */
  owner(name: string): Promise<OwnDomain | undefined>
  /**
   * Writes down a check; false where it would make a second owner. `insteadOf`, where that one is the owner, is `pending` from
   * then on, in the same transaction.
   */
  check(subscriptionId: SubscriptionId, name: string, seen: DomainCheck, insteadOf?: SubscriptionId): Promise<boolean>
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

import type { AddressId, SubscriptionId } from '../ids.ts'
import { DAY } from '../time.ts'

/**
 * `pending`: the records were not found yet. `failing`: they were found and have been missing since `failingSince`;
 * messages are still accepted.
 */
export type OwnDomainState = 'pending' | 'verified' | 'failing'

/**
 * An own domain of a subscriber. Several subscribers may claim a domain; at most one owns it (`verified` or `failing`).
 * Times are milliseconds since the epoch.
 */
export interface OwnDomain {
  /** Lower case, ASCII form. */
  name: string
  subscriptionId: SubscriptionId
  state: OwnDomainState
  createdAt: number
  checkedAt: number | null
  failingSince: number | null
  /** Which records the last check found. */
  txtFound: boolean
  mxFound: boolean
  /** The address that receives messages for unknown logins; null if there is none. */
  catchAll: AddressId | null
}

/** Durations in milliseconds, from the configuration. */
export interface DomainRules {
  /** The interval between checks of an owned domain. */
  interval: number
  /** The interval between checks of a failing domain. */
  failingInterval: number
  /** How long messages are still accepted for a domain whose records are missing. */
  failing: number
}

/**
 * How long after the end of the failing time a domain stays `failing` if no look-up is answered. Records that were
 * restored in time can then still be found.
 */
export const UNANSWERED = DAY

/** Returns the effective state: a domain that failed for too long counts as `pending` even if no look-up is answered. */
export const stateOf = (
  { state, failingSince }: Pick<OwnDomain, 'state' | 'failingSince'>,
  rules: Pick<DomainRules, 'failing'>,
  now: number,
): OwnDomainState =>
  state === 'failing' && now >= (failingSince ?? 0) + rules.failing + UNANSWERED ? 'pending' : state

/** The fields that a check updates. */
export type DomainCheck = Pick<OwnDomain, 'state' | 'checkedAt' | 'failingSince' | 'txtFound' | 'mxFound'>

/** Returns the fields of a domain after a check that found these records. */
export function checked(
  domain: OwnDomain,
  found: Pick<OwnDomain, 'txtFound' | 'mxFound'>,
  rules: Pick<DomainRules, 'failing'>,
  now: number,
): DomainCheck {
  const seen = { ...found, checkedAt: now }
  if (found.txtFound && found.mxFound) return { ...seen, state: 'verified', failingSince: null }
  const failingSince = domain.failingSince ?? now
  return domain.state === 'pending' || now >= failingSince + rules.failing
    ? { ...seen, state: 'pending', failingSince: null }
    : { ...seen, state: 'failing', failingSince }
}

/**
 * Stores own domains. Times are milliseconds since the epoch. Writes are durable when the promise resolves. Errors as
 * in `Store`.
 */
export interface OwnDomainStore {
  /**
   * Adds a domain in one transaction; does nothing if the subscription already has it. Returns false if the
   * subscription has `max` domains or does not exist.
   */
  add(domain: OwnDomain, max: number): Promise<boolean>
  list(subscriptionId: SubscriptionId): Promise<OwnDomain[]>
  find(subscriptionId: SubscriptionId, name: string): Promise<OwnDomain | undefined>
  /** Returns the domain with its owner, for arriving messages; undefined if nobody owns it. */
  owner(name: string): Promise<OwnDomain | undefined>
  /**
   * Stores the result of a check in one transaction. Returns false if the domain would get a second owner. If
   * `insteadOf` is the owner, that claim becomes `pending` in the same transaction. `before`: the
   * expected time of the last check. If the domain was checked since then, returns false and changes nothing.
   */
  recordCheck(
    subscriptionId: SubscriptionId,
    name: string,
    seen: DomainCheck,
    insteadOf?: SubscriptionId,
    before?: number | null,
  ): Promise<boolean>
  setCatchAll(subscriptionId: SubscriptionId, name: string, catchAll: AddressId | null): Promise<boolean>
  remove(subscriptionId: SubscriptionId, name: string): Promise<boolean>
  /**
   * Returns up to `limit` owned domains that were last checked before `checkedBefore`, the longest ago first. `failing`:
   * also returns domains that began to fail after `since` and were last checked before `before`. `before` must not be
   * earlier than `checkedBefore`.
   */
  due(checkedBefore: number, limit: number, failing?: { before: number; since: number }): Promise<OwnDomain[]>
}

/** DNS look-ups. They return an empty list if there are no records and reject if the server does not answer. */
export interface DnsLookup {
  txt(name: string): Promise<string[]>
  /** Returns the mail hosts, most preferred first, in lower case, without the trailing dot. */
  mx(name: string): Promise<string[]>
}

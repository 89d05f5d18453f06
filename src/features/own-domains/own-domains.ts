import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type KeptAddressRow, keptRow } from '#core/account/kept-address.ts'
import { type EndRules, requireActive, type Subscription } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import { isDomainName } from '#core/mailbox/domain.ts'
import { type DomainRules, type OwnDomain, type OwnDomainState, stateOf } from '#core/own-domains/own-domain.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'
import type { Addresses } from '#features/mailbox/index.ts'
import { recipientParts } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { DomainChecks } from './own-domain-checks.ts'

interface DomainRecord {
  type: 'TXT' | 'MX'
  name: string
  value: string
  priority: number | null
  /** Whether the last check found the record. */
  found: boolean
}

export interface OwnDomainView {
  name: string
  /** `stopped`: it would be verified or failing, but its email is refused because the subscription has lapsed. */
  state: OwnDomainState | 'stopped'
  /** Milliseconds since the epoch. */
  checkedAt: number | null
  /** The DNS records that the domain's owner must create. */
  records: DomainRecord[]
  catchAll: AddressId | null
}

/**
 * The own domains of a subscriber. `add` and `check` throw `premium_required` without Premium. Methods that take a name
 * throw `domain_not_found` for an unknown domain.
 */
export interface OwnDomains {
  list(subscription: Subscription): Promise<OwnDomainView[]>
  /**
   * Adds a domain, or returns it unchanged if the subscriber has it already. Throws `domain_invalid`,
   * `domain_of_account`, `domains_full`, `premium_required`.
   */
  add(subscription: Subscription, name: string): Promise<OwnDomainView>
  /** Looks up the records of a domain. Throws `domain_of_account`, `dns_unavailable`, `domain_owned`, `premium_required`. */
  check(subscription: Subscription, name: string): Promise<OwnDomainView>
  /**
   * Sets the catch-all address; null removes it. Throws `address_invalid` unless it is an existing address of the
   * subscriber.
   */
  setCatchAll(subscription: Subscription, name: string, addressId: AddressId | null): Promise<OwnDomainView>
  /** Deletes all addresses under the domain with their messages, then removes the domain. */
  remove(subscription: Subscription, name: string): Promise<void>
}

interface OwnDomainsDeps {
  store: Pick<Store, 'addresses' | 'keptAddresses' | 'ownDomains'>
  addresses: Pick<Addresses, 'removeRow'>
  clock: Clock
  wrap: Pick<Wrap, 'unwrapOrEmpty'>
  checks: DomainChecks
  /** Names of the service's own mail domains. */
  serviceDomains: readonly string[]
  rules: { ends: EndRules; domains: Pick<DomainRules, 'failing'>; max: number }
  /** Called with the name of each domain whose recipient changed. */
  onChange(name: string): void
}

const MX_PRIORITY = 10
/** The length limit of a domain name, minus the label `_mayfly.` that precedes it. */
const NAME_MAX_LENGTH = 253 - 8

/**
 * Letters, digits, hyphens and dots of any script. `domainToASCII` would also accept the part of a URL that follows the
 * host.
 */
const DOMAIN_CHARACTERS = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u

/** Returns the lower-case ASCII form of a domain, or undefined if it cannot be an own domain. */
function canonicalName(input: string): string | undefined {
  const written = input.trim().replace(/\.$/, '')
  const name = DOMAIN_CHARACTERS.test(written) ? domainToASCII(written) : ''
  const usable = isDomainName(name) && name.length <= NAME_MAX_LENGTH && isIP(name) === 0
  // A top-level domain is never a number (RFC 3696 2).
  return usable && !/\.\d+$/.test(name) ? name : undefined
}

const isAlive = ({ expiresAt }: KeptAddressRow): boolean => expiresAt !== null

export function createOwnDomains(deps: OwnDomainsDeps): OwnDomains {
  const { store, clock, checks, rules } = deps

  /** Whether a name is one of the service's own mail domains, or a parent or subdomain of one. */
  const isReserved = (name: string): boolean =>
    deps.serviceDomains.some(
      (reserved) => name === reserved || name.endsWith(`.${reserved}`) || reserved.endsWith(`.${name}`),
    )

  /**
   * Throws `domain_of_account` for the domain of the account's own email address. Its links to sign in would arrive at an address
   * that only somebody who is signed in can open.
   */
  function refuseDomainOfAccount({ sealedEmail, emailKey }: Subscription, name: string): void {
    if (recipientParts(deps.wrap.unwrapOrEmpty('email', sealedEmail, emailKey)).domain === name)
      throw new MayflyError('domain_of_account', 'A subdomain can be added')
  }

  async function find({ id }: Subscription, input: string): Promise<OwnDomain> {
    const name = canonicalName(input)
    const domain = name === undefined ? undefined : await store.ownDomains.find(id, name)
    if (!domain) throw new MayflyError('domain_not_found')
    return domain
  }

  function view(domain: OwnDomain, lapsed: boolean): OwnDomainView {
    const { name, subscriptionId, checkedAt, catchAll, txtFound, mxFound } = domain
    const { txt, mx } = checks.proofOf(name, subscriptionId)
    const state = stateOf(domain, rules.domains, clock())
    return {
      name,
      state: lapsed && state !== 'pending' ? 'stopped' : state,
      checkedAt,
      records: [
        { type: 'TXT', ...txt, priority: null, found: txtFound },
        { type: 'MX', name, value: mx, priority: MX_PRIORITY, found: mxFound },
      ],
      catchAll,
    }
  }

  async function views({ id, lapsed }: Subscription, domains: readonly OwnDomain[]): Promise<OwnDomainView[]> {
    const hasCatchAll = domains.some(({ catchAll }) => catchAll !== null)
    const kept = hasCatchAll ? await store.keptAddresses.list(id, clock()) : []
    const existing = new Set<AddressId | null>(kept.filter(isAlive).map(({ addressId }) => addressId))
    // A catch-all address that no longer exists counts as none.
    return domains.map((domain) => view(existing.has(domain.catchAll) ? domain : { ...domain, catchAll: null }, lapsed))
  }

  async function deleteAddresses({ id }: Subscription, domain: string): Promise<void> {
    const kept = await store.keptAddresses.list(id, clock())
    const under = kept.filter((row) =>
      deps.wrap.unwrapOrEmpty('address', row.sealedName, keptRow(row)).endsWith(`@${domain}`),
    )
    const ofKeys = await store.addresses.ofKeys(id, clock(), { ownDomain: domain })
    await Promise.all([
      ...under.map(({ addressId }) => deps.addresses.removeRow({ id: addressId, subscriptionId: id }, true)),
      // Another subscriber may have kept one of them since.
      ...ofKeys.map((addressId) =>
        deps.addresses.removeRow({ id: addressId, subscriptionId: null }, true, { keySubscriptionId: id }),
      ),
    ])
  }

  async function viewOf(subscription: Subscription, domain: OwnDomain): Promise<OwnDomainView> {
    const [one] = await views(subscription, [domain])
    return one as OwnDomainView
  }

  return {
    list: async (subscription) => views(subscription, await store.ownDomains.list(subscription.id)),

    async add(subscription, input) {
      requireActive(subscription, rules.ends, clock())
      const name = canonicalName(input)
      if (name === undefined || isReserved(name)) throw new MayflyError('domain_invalid')
      refuseDomainOfAccount(subscription, name)
      const domain: OwnDomain = {
        name,
        subscriptionId: subscription.id,
        state: 'pending',
        createdAt: clock(),
        checkedAt: null,
        failingSince: null,
        txtFound: false,
        mxFound: false,
        catchAll: null,
      }
      if (!(await store.ownDomains.add(domain, rules.max))) throw new MayflyError('domains_full')
      return viewOf(subscription, await find(subscription, name))
    },

    async check(subscription, input) {
      requireActive(subscription, rules.ends, clock())
      const domain = await find(subscription, input)
      if (domain.state === 'pending') refuseDomainOfAccount(subscription, domain.name)
      return viewOf(subscription, await checks.check(domain))
    },

    async setCatchAll(subscription, input, addressId) {
      const domain = await find(subscription, input)
      if (addressId !== null) {
        const kept = await store.keptAddresses.find(subscription.id, addressId, clock())
        if (!kept || !isAlive(kept)) throw new MayflyError('address_invalid')
      }
      if (!(await store.ownDomains.setCatchAll(subscription.id, domain.name, addressId))) {
        throw new MayflyError('domain_not_found')
      }
      deps.onChange(domain.name)
      return viewOf(subscription, { ...domain, catchAll: addressId })
    },

    async remove(subscription, input) {
      const { name } = await find(subscription, input)
      // Runs first, so that an interrupted removal can be repeated.
      await deleteAddresses(subscription, name)
      await store.ownDomains.remove(subscription.id, name)
      deps.onChange(name)
    },
  }
}

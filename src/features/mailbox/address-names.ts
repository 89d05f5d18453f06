import { MayflyError } from '#core/errors.ts'
import type { NameKey, SubscriptionId } from '#core/ids.ts'
import type { Domain, Tier } from '#core/mailbox/domain.ts'
import { chosenLogin, ownLogin } from '#core/mailbox/login.ts'
import { type RandomInt, randomLogin } from '#core/mailbox/random-login.ts'
import { nameKey } from '#mail/sealing/keys.ts'

/** A candidate for a new address, and the hash under which the store keeps its name. */
export interface AddressName {
  address: string
  nameKey: NameKey
  /** The own domain of a subscriber that the address is under. */
  ownDomain?: string
}

/** The name that a visitor asks for. The default login is random. The default domain is the first free one. */
export interface WantedName {
  login?: string | undefined
  domain?: string | undefined
}

/**
 * Yields the names to try in order: the chosen name, or several random names. Iterating throws `login_invalid`,
 * `login_reserved`, `domain_unknown` or `premium_required`.
 */
export interface AddressNames {
  forVisitor(wanted: WantedName): Iterable<AddressName>
  /** Accepts every domain of the service and the subscriber's own domains. */
  forSubscriber(wanted: WantedName, id: SubscriptionId, ownDomains: readonly string[]): Iterable<AddressName>
  /** Whether the name is under an own domain of the subscription, so that nobody else can have it. */
  isOwn(name: AddressName, id: SubscriptionId | null): boolean
}

interface AddressNamesDeps {
  random: RandomInt
  serviceKey: Uint8Array
  domains: readonly Domain[]
  /** Addresses that nobody may have: the sender of our own emails, which may come back, and that of the operator. */
  reserved: readonly (string | undefined)[]
}

/** The number of random names to try. With 2^40 possible names, the first one is practically always free. */
const RANDOM_TRIES = 8

/**
 * Returns the name key of an address under an own domain. The key depends on the subscription, so a later owner of the
 * domain inherits neither the address nor its messages.
 */
export const ownNameKey = (serviceKey: Uint8Array, address: string, id: SubscriptionId): NameKey =>
  nameKey(serviceKey, `${address}/${id}`)

export function createAddressNames({ random, serviceKey, domains, reserved }: AddressNamesDeps): AddressNames {
  const sharedName = (address: string): AddressName => ({ address, nameKey: nameKey(serviceKey, address) })

  function domainOf(name: string | undefined, tiers: readonly Tier[]): string {
    const domain = domains.find((each) => (name === undefined ? each.tier === 'free' : each.name === name))
    if (!domain) throw new MayflyError('domain_unknown')
    if (!tiers.includes(domain.tier)) throw new MayflyError('premium_required')
    return domain.name
  }

  function* logins(login: string | undefined, chosen: (input: string) => string): Generator<string> {
    if (login !== undefined) yield chosen(login)
    else for (let i = 0; i < RANDOM_TRIES; i++) yield randomLogin(random)
  }

  function* names(wanted: WantedName, tiers: readonly Tier[]): Generator<AddressName> {
    const domain = domainOf(canonical(wanted.domain), tiers)
    for (const login of logins(wanted.login, chosenLogin)) {
      const address = `${login}@${domain}`
      if (reserved.includes(address)) throw new MayflyError('login_reserved')
      yield sharedName(address)
    }
  }

  return {
    forVisitor: (wanted) => names(wanted, ['free']),

    isOwn: ({ address, nameKey: key }, id) => id !== null && key === ownNameKey(serviceKey, address, id),

    *forSubscriber(wanted, id, ownDomains) {
      const domain = ownDomains.find((name) => name === canonical(wanted.domain))
      if (domain === undefined) return yield* names(wanted, ['free', 'premium'])
      for (const login of logins(wanted.login, ownLogin)) {
        const address = `${login}@${domain}`
        yield { address, nameKey: ownNameKey(serviceKey, address, id), ownDomain: domain }
      }
    },
  }
}

const canonical = (domain: string | undefined): string | undefined => domain?.trim().toLowerCase()

import { MayflyError } from '#core/errors.ts'
import type { NameKey, SubscriptionId } from '#core/ids.ts'
import type { Domain, Tier } from '#core/mailbox/domain.ts'
import { chosenLogin, ownLogin } from '#core/mailbox/login.ts'
import { type RandomInt, randomLogin } from '#core/mailbox/random-login.ts'
import { nameKey } from '#mail/sealing/keys.ts'

/** An address that may be taken, and the store's name for it. */
export interface AddressName {
  address: string
  nameKey: NameKey
}

/** Without a login a random one, without a domain the first free one. */
export interface WantedName {
  login?: string | undefined
  domain?: string | undefined
}

/**
 * Names to try one after the other: the chosen one, or several random ones. They throw `login_invalid`, `login_reserved`,
 * `domain_unknown`, `premium_required`.
 */
export interface AddressNames {
  forVisitor(wanted: WantedName): Iterable<AddressName>
  /** Under any domain of the service, or under one of those that the subscriber brought. */
  forSubscriber(wanted: WantedName, id: SubscriptionId, ownDomains: readonly string[]): Iterable<AddressName>
}

export interface AddressNamesDeps {
  random: RandomInt
  serviceKey: Uint8Array
  domains: readonly Domain[]
}

/** So many names are tried before a random one counts as taken; with 2^40 names the second is never needed. */
const RANDOM_TRIES = 8

/**
 * The store's name for an address under a domain that a subscriber brought. It is the subscriber's alone: whoever has the domain
 * later inherits neither the address nor its mail.
 */
export const ownNameKey = (serviceKey: Uint8Array, address: string, id: SubscriptionId): NameKey =>
  nameKey(serviceKey, `${address}/${id}`)

export function createAddressNames({ random, serviceKey, domains }: AddressNamesDeps): AddressNames {
  const shared = (address: string): AddressName => ({ address, nameKey: nameKey(serviceKey, address) })

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
    for (const login of logins(wanted.login, chosenLogin)) yield shared(`${login}@${domain}`)
  }

  return {
    forVisitor: (wanted) => names(wanted, ['free']),

    *forSubscriber(wanted, id, ownDomains) {
      const domain = ownDomains.find((name) => name === canonical(wanted.domain))
      if (domain === undefined) return yield* names(wanted, ['free', 'premium'])
      for (const login of logins(wanted.login, ownLogin)) {
        const address = `${login}@${domain}`
        yield { address, nameKey: ownNameKey(serviceKey, address, id) }
      }
    },
  }
}

const canonical = (domain: string | undefined): string | undefined => domain?.trim().toLowerCase()

import { LRUCache } from 'lru-cache'
import type { AddressId, SubscriptionId } from '#core/ids.ts'
import { isDomainName } from '#core/mailbox/domain.ts'
import { type DomainRules, stateOf } from '#core/own-domains/own-domain.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'

/** The subscription that receives the messages of a domain. */
export interface DomainRecipient {
  subscriptionId: SubscriptionId
  /** The address that receives messages for unknown logins; null if there is none. */
  catchAll: AddressId | null
}

export interface DomainRecipients {
  /**
   * Returns the owner of a domain (lower case, ASCII form). Undefined if nobody owns it or its messages are currently
   * not accepted.
   */
  recipient(domain: string): Promise<DomainRecipient | undefined>
  /** Removes a domain from the cache of this process. The other processes notice a change within `CACHE_TIME`. */
  forget(domain: string): void
}

/**
 * How long a result is cached, in milliseconds. Unknown domains are cached, too, because spam for one such domain
 * arrives in thousands.
 */
const CACHE_TIME = 5000
const CACHE_MAX = 10_000

interface DomainRecipientsDeps {
  store: Pick<Store, 'ownDomains' | 'subscriptions'>
  clock: Clock
  rules: Pick<DomainRules, 'failing'>
}

export function createDomainRecipients({ store, clock, rules }: DomainRecipientsDeps): DomainRecipients {
  const cache = new LRUCache<string, Promise<DomainRecipient | undefined>>({
    max: CACHE_MAX,
    ttl: CACHE_TIME,
    ttlResolution: 0,
    perf: { now: clock },
  })

  async function find(domain: string): Promise<DomainRecipient | undefined> {
    const owner = await store.ownDomains.owner(domain)
    if (!owner || stateOf(owner, rules, clock()) === 'pending') return undefined
    const { subscriptionId, catchAll } = owner
    const subscription = await store.subscriptions.find(subscriptionId)
    return subscription && !subscription.lapsed ? { subscriptionId, catchAll } : undefined
  }

  return {
    async recipient(domain) {
      const cached = cache.get(domain)
      if (cached) return cached
      if (!isDomainName(domain)) return undefined
      const result = find(domain)
      cache.set(domain, result)
      // A failed query is not cached.
      result.catch(() => cache.peek(domain) === result && cache.delete(domain))
      return result
    },
    forget: (domain) => void cache.delete(domain),
  }
}

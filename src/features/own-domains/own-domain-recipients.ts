import type { AddressId, SubscriptionId } from '#core/ids.ts'
import { isDomainName } from '#core/mailbox/domain.ts'
import { type DomainRules, stateOf } from '#core/own-domains/own-domain.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'

/** The owner of messages for a domain. */
export interface DomainRecipient {
  subscriptionId: SubscriptionId
  /** Where messages for unknown logins go. Null: they are rejected. */
  catchAll: AddressId | null
}

export interface DomainRecipients {
  /**
   * Returns the owner of a domain (lower case, ASCII form). Returns undefined if nobody added it, or if it accepts no
   * messages at present.
   */
  recipient(domain: string): Promise<DomainRecipient | undefined>
  /** Makes the next `recipient` in this process ask the store. Other processes do so within `KEPT`. */
  forget(domain: string): void
}

/** How long a result is cached in milliseconds, including "nobody": spam for an unknown domain comes in thousands. */
const KEPT = 5000
const KEPT_MAX = 10_000

export interface DomainRecipientsDeps {
  store: Pick<Store, 'ownDomains' | 'subscriptions'>
  clock: Clock
  rules: Pick<DomainRules, 'failing'>
}

export function createDomainRecipients({ store, clock, rules }: DomainRecipientsDeps): DomainRecipients {
  // In the order of expiry, because all are cached for the same time.
  const kept = new Map<string, { until: number; answer: Promise<DomainRecipient | undefined> }>()

  async function find(domain: string): Promise<DomainRecipient | undefined> {
    const owner = await store.ownDomains.owner(domain)
    if (!owner || stateOf(owner, rules, clock()) === 'pending') return undefined
    const { subscriptionId, catchAll } = owner
    const subscription = await store.subscriptions.find(subscriptionId)
    return subscription && !subscription.lapsed ? { subscriptionId, catchAll } : undefined
  }

  function makeRoom(now: number): void {
    for (const [domain, { until }] of kept) {
      if (until > now && kept.size < KEPT_MAX) break
      kept.delete(domain)
    }
  }

  return {
    async recipient(domain) {
      const now = clock()
      const known = kept.get(domain)
      if (known && known.until > now) return known.answer
      if (!isDomainName(domain)) return undefined
      kept.delete(domain)
      makeRoom(now)
      const answer = find(domain)
      const entry = { until: now + KEPT, answer }
      kept.set(domain, entry)
      // A failure of the store is not cached.
      answer.catch(() => kept.get(domain) === entry && kept.delete(domain))
      return answer
    },
    forget: (domain) => void kept.delete(domain),
  }
}

import type { AddressId, SubscriptionId } from '#core/ids.ts'
import { isDomainName } from '#core/mailbox/domain.ts'
import { type DomainRules, stateOf } from '#core/own-domains/own-domain.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'

/** Whose mail for a domain is. */
export interface DomainRecipient {
  subscriptionId: SubscriptionId
  /** Where mail for logins that nobody has goes; null: nowhere. */
  catchAll: AddressId | null
}

export interface DomainRecipients {
  /** The owner of a domain (lower case, ASCII form); undefined where nobody brought it, or its mail isn't taken at present. */
  recipient(domain: string): Promise<DomainRecipient | undefined>
  /** The next `recipient` of this process asks the store; the other processes do so within `KEPT`. */
  forget(domain: string): void
}

/** Milliseconds that an answer is kept, "nobody" included: spam for one strange domain comes in thousands. */
const KEPT = 5000
const KEPT_MAX = 10_000

export interface DomainRecipientsDeps {
  store: Pick<Store, 'ownDomains' | 'subscriptions'>
  clock: Clock
  rules: Pick<DomainRules, 'failing'>
}

export function createDomainRecipients({ store, clock, rules }: DomainRecipientsDeps): DomainRecipients {
  // In the order of their ends, for all are kept as long.
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
      // A store that can't be asked has said nothing.
      answer.catch(() => kept.get(domain) === entry && kept.delete(domain))
      return answer
    },
    forget: (domain) => void kept.delete(domain),
  }
}

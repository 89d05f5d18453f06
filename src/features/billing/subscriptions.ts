import {
  type EndRules,
  endsAt,
  type Payment,
  type PaymentSource,
  type Subscription,
  type SubscriptionState,
  type SubscriptionStore,
} from '#core/billing/subscription.ts'
import type { Clock } from '#core/time.ts'
import { inBatches } from '#lib/batches.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { subscriberEmail } from './subscriber.ts'
import { stateOf } from './subscription-state.ts'

/** A subscription for the operator. Times are milliseconds since the epoch. */
export interface SubscriptionView extends Omit<Subscription, 'emailKey' | 'sealedEmail' | 'revision'> {
  email: string
  state: SubscriptionState
  /** When the benefits end or ended. */
  endsAt: number
}

export interface SubscriptionDetails extends SubscriptionView {
  sources: PaymentSource[]
  payments: Payment[]
}

/** The operator's queries. */
export interface Subscriptions {
  list(): AsyncIterable<SubscriptionView>
  /** Finds a subscription by its id or its email address. Undefined if it does not exist. */
  find(idOrEmail: string): Promise<SubscriptionDetails | undefined>
}

interface SubscriptionsDeps {
  subscriptions: SubscriptionStore
  wrap: Wrap
  clock: Clock
  rules: EndRules
}

export function createSubscriptions({ subscriptions, wrap, clock, rules }: SubscriptionsDeps): Subscriptions {
  const view = ({ emailKey, sealedEmail, revision: _revision, ...row }: Subscription): SubscriptionView => ({
    ...row,
    email: wrap.unwrapOrEmpty('email', sealedEmail, emailKey),
    state: stateOf(row, rules, clock()),
    endsAt: endsAt(row, rules),
  })

  return {
    async *list() {
      for await (const row of inBatches<Subscription>((limit, after) => subscriptions.list(limit, after?.id)))
        yield view(row)
    },

    async find(idOrEmail) {
      const found = idOrEmail.includes('@')
        ? await subscriptions.findByEmail(subscriberEmail(wrap, idOrEmail).emailKey)
        : await subscriptions.find(idOrEmail)
      if (!found) return undefined
      const [sources, payments] = await Promise.all([subscriptions.sources(found.id), subscriptions.payments(found.id)])
      return { ...view(found), sources, payments }
    },
  }
}

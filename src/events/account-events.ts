import type { EventBus } from '#core/events.ts'
import type { Store } from '#core/store.ts'

/**
 * The store, telling under the id of a subscription whenever a change may have ended somebody's access to what belongs
 * to it: a browser signed out, an API key revoked, the subscription paid, lapsed or erased. Who lets a request go on
 * for longer listens and looks again.
 */
export function withAccountEvents(store: Store, bus: Pick<EventBus, 'publish'>): Store {
  const { subscriptions, accounts, apiKeys } = store
  return {
    ...store,
    subscriptions: {
      ...subscriptions,
      async settle(settlement) {
        const outcome = await subscriptions.settle(settlement)
        bus.publish(settlement.subscriptionId)
        return outcome
      },
      async change(id, ...change) {
        const changed = await subscriptions.change(id, ...change)
        bus.publish(id)
        return changed
      },
      async remove(id) {
        await subscriptions.remove(id)
        bus.publish(id)
      },
    },
    accounts: {
      ...accounts,
      async endSession(subscriptionId, id) {
        const ended = await accounts.endSession(subscriptionId, id)
        bus.publish(subscriptionId)
        return ended
      },
    },
    apiKeys: {
      ...apiKeys,
      async remove(subscriptionId, id) {
        const removed = await apiKeys.remove(subscriptionId, id)
        bus.publish(subscriptionId)
        return removed
      },
    },
  }
}

import type { EventBus } from '#core/events.ts'
import type { Store } from '#core/store.ts'

/**
 * Wraps the store so that it publishes the id of a subscription after each change that may have revoked access: a
 * browser was signed out, an API key was removed, or the subscription was paid, lapsed or removed. Long-running
 * requests subscribe and check their access again.
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
        const checkouts = await subscriptions.remove(id)
        bus.publish(id)
        return checkouts
      },
    },
    accounts: {
      ...accounts,
      async addSession(session, ...link) {
        const added = await accounts.addSession(session, ...link)
        bus.publish(session.subscriptionId)
        return added
      },
      async endUnconfirmed(subscriptionId) {
        await accounts.endUnconfirmed(subscriptionId)
        bus.publish(subscriptionId)
      },
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

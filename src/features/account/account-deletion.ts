import { MAY_STILL_CHARGE, type Order } from '#core/billing/order.ts'
import { type PaymentProvider, providerNamed } from '#core/billing/payment.ts'
import { requireConfirmed, type Subscription } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { SecretId, SubscriptionId } from '#core/ids.ts'
import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { type Billing, closeCheckout } from '#features/billing/index.ts'
import { inChunks } from '#lib/batches.ts'
import { hashOf, randomId } from '#lib/token.ts'
import { canonicalEmail } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { SignedIn } from './sign-in.ts'

interface AccountDeletionDeps {
  store: Pick<Store, 'addresses' | 'keptAddresses' | 'orders' | 'subscriptions'>
  providers: readonly PaymentProvider[]
  billing: Pick<Billing, 'settle'>
  bus: EventBus
  wrap: Wrap
  clock: Clock
  logger: Logger
  /** How long the names of the addresses stay in quarantine, in milliseconds. */
  quarantine: number
}

/**
 * Deletes a subscription and everything that belongs to it. First closes the open checkouts and ends all
 * renewals at the providers. Deletes nothing if it throws `payment_unavailable` (a provider is unreachable or cannot end it) or
 * `payment_pending` (a payment is on its way and cannot be stopped). Throws `email_invalid` if `email` is not the email
 * address of the account, and `email_unconfirmed`. If it fails midway, calling it again completes the deletion. `browser` is
 * the cookie that identifies the browser.
 */
export type DeleteAccount = (signedIn: SignedIn, email: string, browser?: string) => Promise<void>

/**
 * Does the same for the operator, without a session. First deletes the addresses, and reserves their names for nobody.
 * Throws `not_found` for an unknown id.
 */
type DeleteAccountAsOperator = (id: SubscriptionId) => Promise<void>

/** Checkouts that are closed at the same time. Providers limit the calls of all buyers together. */
const CLOSED_AT_ONCE = 5

export function createAccountDeletion(deps: AccountDeletionDeps): {
  deleteAccount: DeleteAccount
  deleteAccountAsOperator: DeleteAccountAsOperator
} {
  const { store, billing, bus, clock, wrap } = deps

  const checkouts = { orders: store.orders, providers: deps.providers, settle: billing.settle }

  async function cancel(name: string, ref: string): Promise<void> {
    await providerNamed(deps.providers, name)
      ?.cancel?.(ref)
      .catch((error: unknown) => {
        deps.logger.error({ provider: name }, 'payment source not ended')
        throw new MayflyError('payment_unavailable', undefined, { cause: error })
      })
  }

  /**
   * Closes the open checkouts, and settles what was paid in them. Throws `payment_pending` if a payment is on its way that
   * may be the owner's, because it would pay for a subscription that no longer exists. Crypto may always be: it is pending
   * for 21 days at most. A bank debit delays the deletion only if it was ordered in a session of the account, in `browser`
   * or in one that has paid for the account. Others are canceled with the sources and reported if they arrive.
   * Throws `payment_unavailable` if a provider is unreachable.
   */
  async function finishOrders({ id, emailKey }: Subscription, browser: string | undefined): Promise<void> {
    const [all, sources] = await Promise.all([store.orders.ofEmail(emailKey), store.subscriptions.sources(id)])
    const paidFor = new Set(sources.map(({ orderId }) => orderId))
    const browsers = new Set(all.filter((order) => paidFor.has(order.id)).map(({ browserHash }) => browserHash))
    if (browser !== undefined) browsers.add(hashOf(browser))
    const isOwners = ({ sessionId, browserHash, provider }: Order) =>
      sessionId !== null || browsers.has(browserHash) || !providerNamed(deps.providers, provider)?.cancel

    async function finish(order: Order): Promise<void> {
      await closeCheckout(order, checkouts)
      if (isOwners(order) && (await store.orders.find(order.id))?.state === 'pending')
        throw new MayflyError('payment_pending')
    }
    const unfinished = all.filter(
      ({ state, provider }) => (state === 'open' || state === 'pending') && providerNamed(deps.providers, provider),
    )
    for (const some of inChunks(unfinished, CLOSED_AT_ONCE)) await Promise.all(some.map(finish))
  }

  /** Closes the checkouts of orders that were placed in the meantime. What is still paid in one is reported later. */
  async function expire(left: readonly { provider: string; ref: string }[]): Promise<void> {
    for (const { provider, ref } of left)
      await providerNamed(deps.providers, provider)
        ?.expire?.(ref)
        .catch((error: unknown) =>
          deps.logger.error({ err: error, provider }, 'checkout of a deleted account not closed'),
        )
  }

  async function endSources(id: SubscriptionId, emailKey: string): Promise<void> {
    // Includes sources that do not renew, because they may still have an open invoice.
    for (const { provider, ref, renews, failingSince } of await store.subscriptions.sources(id)) {
      if (!providerNamed(deps.providers, provider)?.cancel && (renews || failingSince !== null))
        throw new MayflyError('payment_unavailable')
      await cancel(provider, ref)
    }
    for (const { provider, providerRef: ref, state } of await store.orders.ofEmail(emailKey))
      if (ref !== null && MAY_STILL_CHARGE.includes(state)) await cancel(provider, ref)
  }

  /** Reserves their names for their secrets, or for `heldFor`. */
  async function deleteAddresses(id: SubscriptionId, heldFor?: SecretId): Promise<void> {
    const kept = await store.keptAddresses.list(id, clock())
    const ofKeys = await store.addresses.ofKeys(id, clock())
    const rows = [
      ...kept.map(({ addressId }) => ({ addressId, expected: {} })),
      // Another subscriber may have kept one of them since.
      ...ofKeys.map((addressId) => ({ addressId, expected: { keySubscriptionId: id } })),
    ]
    for (const { addressId, expected } of rows) {
      await store.addresses.remove(addressId, clock() + deps.quarantine, heldFor, expected)
      bus.publish(addressId)
    }
  }

  async function deleteSubscription(
    subscription: Subscription,
    { browser, heldFor }: { browser?: string | undefined; heldFor?: SecretId },
  ): Promise<void> {
    const { id, emailKey } = subscription
    await finishOrders(subscription, browser)
    await endSources(id, emailKey)
    await deleteAddresses(id, heldFor)
    const left = await store.subscriptions.remove(id)
    // Releases an address that was kept between these two steps. Otherwise it would never expire and belong to nobody.
    const now = clock()
    await store.keptAddresses.release(id, now, now + deps.quarantine, now)
    await expire(left)
  }

  return {
    async deleteAccount({ subscription }, email, browser) {
      requireConfirmed(subscription)
      if (wrap.hash('email', canonicalEmail(email) ?? '') !== subscription.emailKey)
        throw new MayflyError('email_invalid')
      await deleteSubscription(subscription, { browser })
    },
    async deleteAccountAsOperator(id) {
      const subscription = await store.subscriptions.find(id)
      if (!subscription) throw new MayflyError('not_found')
      // No secret has this look-up hash. Otherwise someone who misuses addresses could delay the deletion with an
      // unconfirmed payment, and then create the addresses again.
      const nobody = randomId()
      await deleteAddresses(id, nobody)
      await deleteSubscription(subscription, { heldFor: nobody })
      deps.logger.info({}, 'the operator deleted an account')
    },
  }
}

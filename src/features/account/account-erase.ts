import type { PaymentProvider } from '#core/billing/payment.ts'
import { type PaymentSource, requireConfirmed } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { SubscriptionId } from '#core/ids.ts'
import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { canonicalEmail } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { SignedIn } from './sign-in.ts'

export interface AccountEraseDeps {
  store: Pick<Store, 'addresses' | 'keptAddresses' | 'orders' | 'subscriptions'>
  providers: readonly PaymentProvider[]
  bus: EventBus
  wrap: Wrap
  clock: Clock
  logger: Logger
  /** How long the names of the addresses stay in quarantine, in milliseconds. */
  quarantine: number
}

/**
 * Erases a subscription and everything that belongs to it. First closes the open checkouts and ends everything
 * that pays at a provider. Throws `payment_unavailable`, and erases nothing, if a provider cannot end it. Throws `email_invalid` if
 * `email` is not the email address of the account, and `email_unconfirmed`. If it fails midway, another call completes it. A checkout whose
 * provider is unreachable stays open and expires soon.
 */
export type AccountErase = (signedIn: SignedIn, email: string) => Promise<void>

export function createAccountErase(deps: AccountEraseDeps): AccountErase {
  const { store, bus, clock, wrap } = deps

  async function cancel(source: PaymentSource): Promise<void> {
    const provider = deps.providers.find(({ name }) => name === source.provider)
    if (!provider?.cancel) {
      if (source.renews || source.failingSince !== null) throw new MayflyError('payment_unavailable')
      return
    }
    await provider.cancel(source).catch((error: unknown) => {
      deps.logger.error({ provider: source.provider }, 'payment source not ended')
      throw new MayflyError('payment_unavailable', undefined, { cause: error })
    })
  }

  /** A payment in an open checkout would be for a subscription that no longer exists. */
  async function closeCheckouts(emailKey: string): Promise<void> {
    const open = (await store.orders.ofEmail(emailKey)).filter(({ state }) => state === 'open')
    await Promise.all(
      open.map(async ({ provider: name, providerRef }) => {
        const provider = deps.providers.find((each) => each.name === name)
        if (providerRef === null || !provider?.expire) return
        await provider.expire(providerRef).catch(() => deps.logger.error({ provider: name }, 'checkout not closed'))
      }),
    )
  }

  async function deleteAddresses(id: SubscriptionId): Promise<void> {
    const kept = await store.keptAddresses.list(id, clock())
    const ofKeys = await store.addresses.ofKeys(id, clock())
    for (const addressId of [...kept.map((each) => each.addressId), ...ofKeys]) {
      await store.addresses.end(addressId, clock() + deps.quarantine)
      bus.publish(addressId)
    }
  }

  return async ({ subscription }, email) => {
    const { id, emailKey } = subscription
    requireConfirmed(subscription)
    if (wrap.hash('email', canonicalEmail(email) ?? '') !== emailKey) throw new MayflyError('email_invalid')
    // Runs before the renewals are read: a payment that completes now either appears among them or is no longer
    // possible.
    await closeCheckouts(emailKey)
    // All of them: a source that does not renew may still have an open invoice.
    for (const source of await store.subscriptions.sources(id)) await cancel(source)
    await deleteAddresses(id)
    await store.subscriptions.remove(id)
    // Releases an address that was kept between these two steps. Otherwise it would never expire and belong to nobody.
    const now = clock()
    await store.keptAddresses.release(id, now, now + deps.quarantine, now)
  }
}

import type { PaymentProvider } from '#core/billing/payment.ts'
import type { PaymentSource } from '#core/billing/subscription.ts'
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
  /** How long the names of its addresses are held, in milliseconds. */
  quarantine: number
}

/**
 * Erases all that belongs to a subscription. First nothing more may be charged: throws `payment_unavailable`, and nothing is
 * erased, where a provider can't be told. Throws `email_invalid` where the email is another one. Done again, it goes on.
 * Checkouts that are open are closed as far as their providers can be reached: they close by themselves before long.
 */
export type AccountErase = (signedIn: SignedIn, email: string) => Promise<void>

export function createAccountErase(deps: AccountEraseDeps): AccountErase {
  const { store, bus, clock, wrap } = deps

  async function cancel(source: PaymentSource): Promise<void> {
    const provider = deps.providers.find(({ name }) => name === source.provider)
    if (!provider?.cancel) throw new MayflyError('payment_unavailable')
    await provider.cancel(source).catch((error: unknown) => {
      deps.logger.error({ provider: source.provider }, 'renewals not cancelled')
      throw new MayflyError('payment_unavailable', undefined, { cause: error })
    })
  }

  /** What is paid there from now on would be paid into nothing. */
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

  async function endAddresses(id: SubscriptionId): Promise<void> {
    const kept = await store.keptAddresses.list(id, clock())
    const ofKeys = await store.addresses.ofKeys(id, clock())
    for (const addressId of [...kept.map((each) => each.addressId), ...ofKeys]) {
      await store.addresses.end(addressId, clock() + deps.quarantine)
      bus.publish(addressId)
    }
  }

  return async ({ subscription }, email) => {
    const { id, emailKey } = subscription
    if (wrap.hash('email', canonicalEmail(email) ?? '') !== emailKey) throw new MayflyError('email_invalid')
    // Before it is asked what renews: who pays at this moment is among those then, or can't pay.
    await closeCheckouts(emailKey)
    const renewing = (await store.subscriptions.sources(id)).filter(({ renews }) => renews)
    for (const source of renewing) {
      await cancel(source)
    }
    await endAddresses(id)
    await store.subscriptions.remove(id)
    // One that was kept between those two would live for ever, and be nobody's.
    const now = clock()
    await store.keptAddresses.release(id, now, now + deps.quarantine, now)
  }
}

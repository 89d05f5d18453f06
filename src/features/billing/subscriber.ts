import { type Subscription } from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/ids.ts'
import type { IsOurs } from '#core/mailbox/domain.ts'
import type { OwnDomainStore } from '#core/own-domains/own-domain.ts'
import { randomId } from '#lib/token.ts'
import { canonicalEmail, emailAddress } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** Returns the email address that was entered, and the key that identifies its subscription. Throws `email_invalid`. */
export function subscriberEmail(wrap: Pick<Wrap, 'hash'>, input: string): { email: string; emailKey: string } {
  const email = emailAddress(input)
  const canonical = canonicalEmail(input)
  if (email === undefined || canonical === undefined) throw new MayflyError('email_invalid')
  return { email, emailKey: wrap.hash('email', canonical) }
}

/**
 * Throws `email_ours` for an email address whose email this service receives. Whoever gets the name next would get the
 * account by a sign-in link. At the own domain of a subscriber links no longer arrive when that subscription has ended.
 */
export async function refuseOurEmail(email: string, isOurs: IsOurs): Promise<void> {
  if (await isOurs(email)) throw new MayflyError('email_ours')
}

/** Whether a subscriber owns domains, whose email is refused after a lapse. */
export const ownsDomains = async (store: Pick<OwnDomainStore, 'list'>, id: SubscriptionId): Promise<boolean> =>
  (await store.list(id)).some(({ state }) => state !== 'pending')

/** Returns a subscription before its first payment, for `SubscriptionStore.ensure`. */
export const newSubscription = (
  { emailKey, sealedEmail, language }: Pick<Subscription, 'emailKey' | 'sealedEmail' | 'language'>,
  createdAt: number,
): Subscription => ({
  id: randomId(),
  emailKey,
  sealedEmail,
  language,
  createdAt,
  plan: null,
  paidUntil: 0,
  renews: false,
  failingSince: null,
  noticeAt: null,
  lapsed: false,
  confirmed: false,
  revision: 0,
})

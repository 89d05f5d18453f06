import { randomBytes } from 'node:crypto'
import { MayflyError } from '#core/errors.ts'
import { type EndRules, isActive, type Subscription } from '#core/subscription.ts'
import { canonicalEmail, emailAddress } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

const ID_BYTES = 16

/**
 * 128 random bits in 22 characters: the name of an order, a session, a key and the like. None begins with a dash: a command
 * would take it for an option.
 */
export function randomId(): string {
  const id = randomBytes(ID_BYTES).toString('base64url')
  return id.startsWith('-') ? randomId() : id
}

/** Throws `premium_required` where the benefits of Premium are not there. */
export function requireActive(subscription: Subscription, rules: EndRules, now: number): void {
  if (!isActive(subscription, rules, now)) throw new MayflyError('premium_required')
}

/** The real email that somebody entered, and the key under which its subscription is found. Throws `email_invalid`. */
export function subscriberEmail(wrap: Pick<Wrap, 'hash'>, input: string): { email: string; emailKey: string } {
  const email = emailAddress(input)
  const canonical = canonicalEmail(input)
  if (email === undefined || canonical === undefined) throw new MayflyError('email_invalid')
  return { email, emailKey: wrap.hash('email', canonical) }
}

/** A subscription before its first payment, for `SubscriptionStore.ensure`. */
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
  revision: 0,
})

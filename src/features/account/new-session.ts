import { parse } from 'bowser'
import type { AccountSession, AccountStore } from '#core/account/account.ts'
import type { SubscriptionId } from '#core/ids.ts'
import { sameText } from '#core/same-text.ts'
import { hashOf, randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

const LABEL_MAX_CHARACTERS = 60
const USER_AGENT_MAX_CHARACTERS = 500

/** Returns browser and operating system, such as `Firefox, Linux`. Empty if the browser does not send them. */
function labelOf(userAgent: string): string {
  if (userAgent.trim() === '') return ''
  const { browser, os } = parse(userAgent.slice(0, USER_AGENT_MAX_CHARACTERS))
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, LABEL_MAX_CHARACTERS)
}

/**
 * The first part of the token of a session, a keyed hash of 128 bits. The rest, 126 bits, is a keyed hash of it and the
 * subscription, which tells after the end of the session that the browser was signed in to this subscription.
 */
const FIRST_CHARACTERS = 22
const TOKEN_CHARACTERS = 43

function tokenOf(wrap: Pick<Wrap, 'hash'>, subscriptionId: SubscriptionId, first: string): string {
  return (first + wrap.hash('session token', `${subscriptionId} ${first}`)).slice(0, TOKEN_CHARACTERS)
}

/** Whether the token is that of a session of this subscription, which may have ended. */
export const isTokenOf = (wrap: Pick<Wrap, 'hash'>, subscriptionId: SubscriptionId, token: string): boolean =>
  sameText(token, tokenOf(wrap, subscriptionId, token.slice(0, FIRST_CHARACTERS)))

export interface NewSession {
  token: string
  session: AccountSession
}

/**
 * Returns a session that starts at `now` and lasts `lifetime` milliseconds without a visit, and its token. The same cause
 * in the same browser gives the same token, so a repetition after a lost response can have the session that exists. No
 * table contains `browser`, a cookie of 256 random bits, so nobody derives tokens from the database and the service key.
 */
export function newSession(
  wrap: Pick<Wrap, 'wrap' | 'hash'>,
  subscriptionId: SubscriptionId,
  { cause, browser, userAgent }: { cause: string; browser: string; userAgent: string },
  now: number,
  lifetime: number,
): NewSession {
  const token = tokenOf(wrap, subscriptionId, wrap.hash('session cause', `${cause} ${browser}`))
  const id = randomId()
  const session = {
    id,
    tokenHash: hashOf(token),
    subscriptionId,
    sealedLabel: wrap.wrap('session label', labelOf(userAgent), id),
    createdAt: now,
    seenAt: now,
    expiresAt: now + lifetime,
  }
  return { token, session }
}

/** Whether a session is stored, and has not expired at `now`. */
export const sessionExists = async (
  accounts: Pick<AccountStore, 'findSession'>,
  { session: { tokenHash } }: NewSession,
  now: number,
): Promise<boolean> => (await accounts.findSession(tokenHash, now)) !== undefined

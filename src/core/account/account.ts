import type { SubscriptionId } from '../ids.ts'

/** Attempts to enter the code of a sign-in link. After the last one the link is void. */
export const SIGN_IN_TRIES = 5

/** A sign-in link. Times are milliseconds since the epoch, hashes are SHA-256 in base64url. */
export interface SignInLink {
  tokenHash: string
  subscriptionId: SubscriptionId
  /** Hash of the cookie of the browser that requested the link. Only that browser is signed in; null: no browser is. */
  browserHash: string | null
  createdAt: number
  expiresAt: number
}

export interface StoredLink extends SignInLink {
  used: boolean
}

export interface AccountSession {
  /** 22 random characters. */
  id: string
  tokenHash: string
  subscriptionId: SubscriptionId
  /** Names of the browser and the operating system, wrapped with the service key. */
  sealedLabel: Uint8Array
  createdAt: number
  seenAt: number
  expiresAt: number
}

/** Stores sign-in links and sessions. Writes are durable when the promise resolves. Errors as in `Store`. */
export interface AccountStore {
  /**
   * Adds a link in one transaction. Returns false if the subscription does not exist or has `max` links created after
   * `since`.
   */
  addLink(link: SignInLink, since: number, max: number): Promise<boolean>
  /** Returns the link, used or not, unless it has expired at `now` or its attempts are used up. */
  findLink(tokenHash: string, now: number): Promise<StoredLink | undefined>
  /** Returns up to 5 such links that the browser requested: unused ones first, and the newest first. */
  linksOf(browserHash: string, now: number): Promise<StoredLink[]>
  /** Counts one attempt to enter the code, in one atomic step. Returns false if the link is not usable. */
  tryLink(tokenHash: string, now: number): Promise<boolean>
  /**
   * Adds a session of the browser that opened a link, and uses the link up, in one transaction. The first such session
   * confirms the subscription and ends its other sessions. `replaced` is the id of the session that the browser had: its
   * push subscriptions pass to the new one, and it ends. Returns false, and changes nothing, if the link was used, has
   * expired when the session is created, or is not one of the subscription.
   */
  addSession(session: AccountSession, linkHash: string, replaced?: string): Promise<boolean>
  /**
   * Adds a session of the browser that paid an order, in one transaction. Returns false, and changes nothing, if the
   * order is not paid, has opened a session before or is not the only one that pays for the subscription, or if the
   * subscription is confirmed.
   */
  addPaidSession(session: AccountSession, orderId: string): Promise<boolean>
  /** Ends all sessions of the subscription if it is not confirmed. */
  endUnconfirmed(subscriptionId: SubscriptionId): Promise<void>
  findSession(tokenHash: string, now: number): Promise<AccountSession | undefined>
  touchSession(id: string, seenAt: number, expiresAt: number): Promise<void>
  /** Returns the sessions that have not expired, the most recently seen first. */
  sessions(subscriptionId: SubscriptionId, now: number): Promise<AccountSession[]>
  /** Returns false if the subscription has no such session. */
  endSession(subscriptionId: SubscriptionId, id: string): Promise<boolean>
  /** Removes up to `limit` expired links and sessions. Returns the number of removed rows. */
  forget(now: number, limit: number): Promise<number>
}

/**
 * Formats a sign-in code for people: `481920753` -> `481 920 753`. Unicode isolates keep the order of the groups in a
 * text that runs from right to left.
 */
export const codeText = (code: string): string => `\u2066${code.replaceAll(/\d{3}(?=\d)/g, '$& ')}\u2069`

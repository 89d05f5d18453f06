import type { SubscriptionId } from '../ids.ts'

/** How often the code of a link can be entered; then the link is void. */
export const SIGN_IN_TRIES = 5

/** Times are milliseconds since the epoch; hashes are SHA-256 in base64url. */
export interface SignInLink {
  tokenHash: string
  subscriptionId: SubscriptionId
  /** Hash of the cookie of the browser that asked, and that alone is signed in; null: none is. */
  browserHash: string | null
  createdAt: number
  expiresAt: number
}

export interface AccountSession {
  /** 22 random characters. */
  id: string
  tokenHash: string
  subscriptionId: SubscriptionId
  /** Browser and system in words, wrapped with the service's key. */
  sealedLabel: Uint8Array
  createdAt: number
  seenAt: number
  expiresAt: number
}

export interface AccountStore {
  /** False where the subscription has `max` links already that were made after `since`. */
  addLink(link: SignInLink, since: number, max: number): Promise<boolean>
  /** One that still works. */
  findLink(tokenHash: string, now: number): Promise<SignInLink | undefined>
  /** Those that a browser asked for and that still work, newest first. */
  linksOf(browserHash: string, now: number): Promise<SignInLink[]>
  /** Counts that its code is entered; false where it works no more. */
  tryLink(tokenHash: string, now: number): Promise<boolean>
  /** Uses the link up; false where it was used or has ended. */
  useLink(tokenHash: string, now: number): Promise<boolean>
  addSession(session: AccountSession): Promise<void>
  findSession(tokenHash: string, now: number): Promise<AccountSession | undefined>
  touchSession(id: string, seenAt: number, expiresAt: number): Promise<void>
  /** The living ones, last seen first. */
  sessions(subscriptionId: SubscriptionId, now: number): Promise<AccountSession[]>
  /** False where there is no such session of this subscription. */
  endSession(subscriptionId: SubscriptionId, id: string): Promise<boolean>
  /** Forgets up to `limit` links and sessions that have ended. */
  forget(now: number, limit: number): Promise<number>
}

/**
 * Formats a sign-in code for people: `481920753` -> `481 920 753`. Unicode isolates keep the order of the groups in a text that
 * runs from right to left.
 */
export const codeText = (code: string): string => `\u2066${code.replaceAll(/\d{3}(?=\d)/g, '$& ')}\u2069`

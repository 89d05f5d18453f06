import { parse } from 'bowser'
import type { AccountStore } from '#core/account.ts'
import { isStoreFault, MayflyError } from '#core/errors.ts'
import type { Clock, Logger } from '#core/ports.ts'
import { type EndRules, isActive, type Subscription, type SubscriptionStore } from '#core/subscription.ts'
import { canonicalEmail, maskedEmail } from '#mail/email-address.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { Letters } from './letters.ts'
import { randomId } from './subscriber.ts'
import { hashOf, newToken } from './token.ts'

/** Who is signed in; lives as long as one request. */
export interface SignedIn {
  sessionId: string
  subscription: Subscription
  /** Whether the benefits of Premium are there. */
  active: boolean
}

export interface OpenLink {
  token: string
  /** The cookie by which the browser is known. */
  browser: string | undefined
  /** Whether the person said in this browser that it is to be signed in. */
  confirmed: boolean
  userAgent: string
}

export interface SignIn {
  /**
   * Sends a link to this email where it has a subscription. Returns at once, whether it has or not: what is done for it is done
   * later. Throws `email_invalid`.
   */
  ask(email: string, language: string, browser: string): void
  /** Whose account a link opens, masked; undefined for one that works no more. Does not use it up. */
  whose(token: string): Promise<string | undefined>
  /** Signs a browser in; answers the token of its session. Throws `sign_in_link_invalid`, `sign_in_unconfirmed`. */
  open(link: OpenLink): Promise<string>
  /** Whose session a token is. Counts as a visit. Never throws for a malformed one. */
  find(token: string): Promise<SignedIn | undefined>
  end(signedIn: SignedIn): Promise<void>
  /** Resolves when all that was asked for is done. */
  settled(): Promise<void>
}

export interface SignInDeps {
  accounts: AccountStore
  subscriptions: Pick<SubscriptionStore, 'find' | 'findByEmail'>
  letters: Pick<Letters, 'queue' | 'add'>
  wrap: Wrap
  clock: Clock
  logger: Logger
  rules: EndRules
  /** The page that a link leads to. */
  linkUrl: (language: string, token: string) => string
  /** How long a link works, and how many one email gets in that time. */
  linkMinutes: number
  linksMax: number
  /** How long a browser may be away, in milliseconds. */
  sessionLifetime: number
}

const MINUTE = 60_000
/** A visit is written down when the last one is so long ago. */
const VISIT_GRANULARITY = MINUTE
const LABEL_MAX_CHARACTERS = 60
const USER_AGENT_MAX_CHARACTERS = 500

/** Browser and system in words, such as `Firefox, Linux`; empty where the browser doesn't say. */
function labelOf(userAgent: string): string {
  if (userAgent.trim() === '') return ''
  const { browser, os } = parse(userAgent.slice(0, USER_AGENT_MAX_CHARACTERS))
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, LABEL_MAX_CHARACTERS)
}

/** Signing in without a password: by a link to the email of the subscription. */
export function createSignIn(deps: SignInDeps): SignIn {
  const { accounts, subscriptions, letters, wrap, clock } = deps
  const underWay = new Set<Promise<void>>()

  async function sendLink(email: string, language: string, browser: string): Promise<void> {
    const subscription = await subscriptions.findByEmail(wrap.hash('email', email))
    if (!subscription) return
    const token = newToken()
    const now = clock()
    const lifetime = deps.linkMinutes * MINUTE
    const link = {
      tokenHash: hashOf(token),
      subscriptionId: subscription.id,
      browserHash: hashOf(browser),
      createdAt: now,
      expiresAt: now + lifetime,
    }
    if (!(await accounts.addLink(link, now - lifetime, deps.linksMax))) return
    const url = deps.linkUrl(language, token)
    const to = wrap.unwrap('email', subscription.sealedEmail)
    await letters.add(letters.queue(to, language, { kind: 'sign-in', url, minutes: deps.linkMinutes }))
  }

  return {
    ask(email, language, browser) {
      const canonical = canonicalEmail(email)
      if (canonical === undefined) throw new MayflyError('email_invalid')
      const task = sendLink(canonical, language, browser)
        .catch((error: unknown) => deps.logger.error({ err: error }, 'sign-in link failed'))
        .finally(() => underWay.delete(task))
      underWay.add(task)
    },

    async whose(token) {
      const link = await accounts.findLink(hashOf(token), clock())
      const subscription = link && (await subscriptions.find(link.subscriptionId))
      return subscription && maskedEmail(wrap.unwrap('email', subscription.sealedEmail))
    },

    async open({ token, browser, confirmed, userAgent }) {
      const now = clock()
      const tokenHash = hashOf(token)
      const link = await accounts.findLink(tokenHash, now)
      if (!link) throw new MayflyError('sign_in_link_invalid')
      const asked = browser !== undefined && link.browserHash === hashOf(browser)
      if (!asked && !confirmed) throw new MayflyError('sign_in_unconfirmed')
      if (!(await accounts.useLink(tokenHash, now))) throw new MayflyError('sign_in_link_invalid')
      const session = newToken()
      await accounts.addSession({
        id: randomId(),
        tokenHash: hashOf(session),
        subscriptionId: link.subscriptionId,
        sealedLabel: wrap.wrap('session label', labelOf(userAgent)),
        createdAt: now,
        seenAt: now,
        expiresAt: now + deps.sessionLifetime,
      })
      return session
    },

    async find(token) {
      const now = clock()
      const session = await accounts.findSession(hashOf(token), now)
      const subscription = session && (await subscriptions.find(session.subscriptionId))
      if (!subscription) return undefined
      if (now - session.seenAt >= VISIT_GRANULARITY) {
        // Where the store can't write the visit isn't counted, but what is there can be read.
        await accounts.touchSession(session.id, now, now + deps.sessionLifetime).catch((error: unknown) => {
          if (!isStoreFault(error)) throw error
        })
      }
      return { sessionId: session.id, subscription, active: isActive(subscription, deps.rules, now) }
    },

    async end({ sessionId, subscription }) {
      await accounts.endSession(subscription.id, sessionId)
    },

    async settled() {
      await Promise.all(underWay)
    },
  }
}

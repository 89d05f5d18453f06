import { setImmediate, setTimeout } from 'node:timers/promises'
import { parse } from 'bowser'
import type { AccountStore, SignInLink } from '#core/account/account.ts'
import { type EndRules, isActive, type Subscription, type SubscriptionStore } from '#core/billing/subscription.ts'
import { isStoreFault, MayflyError } from '#core/errors.ts'
import { senderNetworks } from '#core/networks.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, MINUTE } from '#core/time.ts'
import { TokenBuckets } from '#core/token-buckets.ts'
import type { Emails } from '#features/email/index.ts'
import { hashOf, newToken, randomId } from '#lib/token.ts'
import { canonicalEmail, maskedEmail } from '#mail/email-address.ts'
import { plain } from '#mail/finder/digits.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** The signed-in subscriber, for the duration of one request. */
export interface SignedIn {
  sessionId: string
  subscription: Subscription
  /** Whether the benefits of Premium apply. */
  active: boolean
}

/** By the token of the link, or by the code in its email. */
export type OpenLink = ({ token: string } | { code: string }) & {
  /** The cookie that identifies the browser. */
  browser: string | undefined
  userAgent: string
}

/** What a browser that follows a link is shown. */
export type LinkView =
  | { state: 'here'; token: string; of: string }
  | { state: 'elsewhere'; code: string }
  | { state: 'over' }

export interface SignIn {
  /**
   * Sends a link to this email address if it has a subscription. Returns at once in any case; the work is done
   * afterwards. `from` is the client's IP address; without it, all such clients share the limit of one network. Throws
   * `email_invalid`.
   */
  ask(email: string, language: string, browser: string, from?: string): void
  /**
   * Returns what a link means for a browser: `here` in the browser that requested it, with the masked email address;
   * `elsewhere` in another browser, with the code to enter in the first one; `over` if it no longer works. Does not use
   * it up.
   */
  look(token: string, browser: string | undefined): Promise<LinkView>
  /**
   * Signs in the browser that requested the link, and no other. Returns the token of its session. Throws
   * `sign_in_link_invalid` and `sign_in_unconfirmed` for a link, and `sign_in_code_invalid` for a code, whatever is
   * wrong with it.
   */
  open(link: OpenLink): Promise<string>
  /** Returns the owner of a session token. Counts as a visit. Never throws for a malformed token. */
  find(token: string): Promise<SignedIn | undefined>
  end(signedIn: SignedIn): Promise<void>
  /** Resolves when all requested work is done. */
  settled(): Promise<void>
  /** Links per requesting network, shared with the other nodes. */
  rates: Record<'signInLinks', TokenBuckets>
}

export interface SignInDeps {
  accounts: AccountStore
  subscriptions: Pick<SubscriptionStore, 'find' | 'findByEmail'>
  emails: Pick<Emails, 'queue' | 'add'>
  wrap: Wrap
  clock: Clock
  logger: Logger
  rules: EndRules
  /** The URL that a link leads to. */
  linkUrl: (language: string, token: string) => string
  /** How long a link works, and how many links for one email address a network gets in that time. */
  linkMinutes: number
  linksMax: number
  /** How long a session lasts without a visit, in milliseconds. */
  sessionLifetime: number
}

/** A visit is stored if the last stored one is this old. */
const VISIT_GRANULARITY = MINUTE
const LABEL_MAX_CHARACTERS = 60
const USER_AGENT_MAX_CHARACTERS = 500
/**
 * Nine digits as in RFC 8628 (6.1): they can be typed on every keyboard, and five attempts guess one code in 200
 * million.
 */
const CODE_DIGITS = 9
/**
 * How many networks may request all of their links for one email address. A link is for the requesting browser, so a
 * stranger who used up all links would lock the owner out.
 */
const NETWORKS = 4
/**
 * Milliseconds until the response to a wrong code. Longer than storing an attempt takes, so that the time does not
 * reveal whether there is a link.
 */
const CODE_PAUSE = 300

/** Browser and system in words, such as `Firefox, Linux`. Empty if the browser does not send them. */
function labelOf(userAgent: string): string {
  if (userAgent.trim() === '') return ''
  const { browser, os } = parse(userAgent.slice(0, USER_AGENT_MAX_CHARACTERS))
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, LABEL_MAX_CHARACTERS)
}

/**
 * Sign-in without a password: by a link to the email address of the subscription, in the browser that requested it
 * (docs/decisions/018-sign-in.md).
 */
export function createSignIn(deps: SignInDeps): SignIn {
  const { accounts, subscriptions, emails, wrap, clock } = deps
  const underWay = new Set<Promise<void>>()
  const lifetime = deps.linkMinutes * MINUTE
  const byNetwork = new TokenBuckets(deps.linksMax, lifetime, () => performance.now())
  const isOf = (link: SignInLink, browser: string | undefined): boolean =>
    browser !== undefined && link.browserHash === hashOf(browser)

  /** The code of a link. It is derived from the link and the service key, so it is not stored. */
  function codeOf(tokenHash: string): string {
    const number = Buffer.from(wrap.hash('sign-in code', tokenHash), 'base64url').readBigUInt64BE()
    return String(number % 10n ** BigInt(CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  }

  async function sendLink(email: string, language: string, browser: string, from: string | undefined): Promise<void> {
    const subscription = await subscriptions.findByEmail(wrap.hash('email', email))
    if (!subscription) return
    // The widest network, because it contains too many narrow ones.
    const network = from === undefined ? undefined : senderNetworks(from).at(-1)?.name
    if (network !== undefined && !byNetwork.take(`${subscription.id} ${network}`).allowed) return
    const max = network === undefined ? deps.linksMax : deps.linksMax * NETWORKS
    const token = newToken()
    const now = clock()
    const link = {
      tokenHash: hashOf(token),
      subscriptionId: subscription.id,
      browserHash: hashOf(browser),
      createdAt: now,
      expiresAt: now + lifetime,
    }
    if (!(await accounts.addLink(link, now - lifetime, max))) return
    const url = deps.linkUrl(language, token)
    const to = wrap.unwrapOrEmpty('email', subscription.sealedEmail, subscription.emailKey) || email
    const code = codeOf(link.tokenHash)
    await emails.add(emails.queue(to, language, { kind: 'sign-in', url, code, minutes: deps.linkMinutes }))
  }

  async function linkByToken(token: string, browser: string | undefined): Promise<SignInLink> {
    const link = await accounts.findLink(hashOf(token), clock())
    if (!link) throw new MayflyError('sign_in_link_invalid')
    if (!isOf(link, browser)) throw new MayflyError('sign_in_unconfirmed')
    return link
  }

  /**
   * The same error whether the browser requested links or not. Otherwise it would reveal whether an email address has a
   * subscription.
   */
  async function linkByCode(entered: string, browser: string | undefined): Promise<SignInLink> {
    const pause = setTimeout(CODE_PAUSE)
    const digits = plain(entered).replaceAll(/\D/g, '')
    const now = clock()
    const asked = browser === undefined ? [] : await accounts.linksOf(hashOf(browser), now)
    for (const link of asked) {
      // Counted before the comparison, so that concurrent attempts do not exceed the limit.
      const may = await accounts.tryLink(link.tokenHash, now)
      if (may && codeOf(link.tokenHash) === digits) return link
    }
    await pause
    throw new MayflyError('sign_in_code_invalid')
  }

  return {
    rates: { signInLinks: byNetwork },

    ask(email, language, browser, from) {
      const canonical = canonicalEmail(email)
      if (canonical === undefined) throw new MayflyError('email_invalid')
      // After the response is sent, so that its time does not reveal whether there is a subscription.
      const task = setImmediate()
        .then(() => sendLink(canonical, language, browser, from))
        .catch((error: unknown) => deps.logger.error({ err: error }, 'sign-in link failed'))
        .finally(() => underWay.delete(task))
      underWay.add(task)
    },

    async look(token, browser) {
      const link = await accounts.findLink(hashOf(token), clock())
      const subscription = link && (await subscriptions.find(link.subscriptionId))
      if (!subscription) return { state: 'over' }
      if (!isOf(link, browser)) return { state: 'elsewhere', code: codeOf(link.tokenHash) }
      return {
        state: 'here',
        token,
        of: maskedEmail(wrap.unwrapOrEmpty('email', subscription.sealedEmail, subscription.emailKey)),
      }
    },

    async open({ browser, userAgent, ...by }) {
      const link = await ('token' in by ? linkByToken(by.token, browser) : linkByCode(by.code, browser))
      const now = clock()
      if (!(await accounts.useLink(link.tokenHash, now)))
        throw new MayflyError('token' in by ? 'sign_in_link_invalid' : 'sign_in_code_invalid')
      const session = newToken()
      const id = randomId()
      await accounts.addSession({
        id,
        tokenHash: hashOf(session),
        subscriptionId: link.subscriptionId,
        sealedLabel: wrap.wrap('session label', labelOf(userAgent), id),
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
        // If the store can't write, the visit is not recorded, but existing data can be read.
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

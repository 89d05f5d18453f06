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

/** Who is signed in; lives as long as one request. */
export interface SignedIn {
  sessionId: string
  subscription: Subscription
  /** Whether the benefits of Premium are there. */
  active: boolean
}

/** By the token of the link, or by the code of its email. */
export type OpenLink = ({ token: string } | { code: string }) & {
  /** The cookie by which the browser is known. */
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
   * Sends a link to this email where it has a subscription. Returns at once, whether it has or not: what is done for it is done
   * later. `from`: the IP address that asks; where nothing is known of it, all together get what one network gets. Throws
   * `email_invalid`.
   */
  ask(email: string, language: string, browser: string, from?: string): void
  /**
   * What a link is to a browser: `here` in the one that asked for it, with the email masked; `elsewhere` in another one, with
   * the code to be entered in the first; `over` where it works no more. Does not use it up.
   */
  look(token: string, browser: string | undefined): Promise<LinkView>
  /**
   * Signs in the browser that asked for the link, and no other; answers the token of its session. Throws `sign_in_link_invalid`
   * and `sign_in_unconfirmed` for a link, `sign_in_code_invalid` for a code, whatever is wrong with it.
   */
  open(link: OpenLink): Promise<string>
  /** Whose session a token is. Counts as a visit. Never throws for a malformed one. */
  find(token: string): Promise<SignedIn | undefined>
  end(signedIn: SignedIn): Promise<void>
  /** Resolves when all that was asked for is done. */
  settled(): Promise<void>
  /** Links that networks asked for, for other nodes to count them too. */
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
  /** The page that a link leads to. */
  linkUrl: (language: string, token: string) => string
  /** How long a link works, and how many for one email a network gets in that time. */
  linkMinutes: number
  linksMax: number
  /** How long a browser may be away, in milliseconds. */
  sessionLifetime: number
}

/** A visit is written down when the last one is so long ago. */
const VISIT_GRANULARITY = MINUTE
const LABEL_MAX_CHARACTERS = 60
const USER_AGENT_MAX_CHARACTERS = 500
/** RFC 8628 (6.1) has nine digits: they can be typed on every keyboard, and five tries guess one code in 200 million. */
const CODE_DIGITS = 9
/**
 * How many networks may ask for all links that they get for one email: a link is for the browser that asked, so a stranger who
 * could use up all of them would keep the owner out.
 */
const NETWORKS = 4
/** Milliseconds until a wrong code is answered, longer than a try takes to write: the time must not tell that there is a link. */
const CODE_PAUSE = 300

/** Browser and system in words, such as `Firefox, Linux`; empty where the browser doesn't say. */
function labelOf(userAgent: string): string {
  if (userAgent.trim() === '') return ''
  const { browser, os } = parse(userAgent.slice(0, USER_AGENT_MAX_CHARACTERS))
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, LABEL_MAX_CHARACTERS)
}

/** Signing in without a password: by a link to the email of the subscription, in the browser that asked for it (docs/decisions/018-sign-in.md). */
export function createSignIn(deps: SignInDeps): SignIn {
  const { accounts, subscriptions, emails, wrap, clock } = deps
  const underWay = new Set<Promise<void>>()
  const lifetime = deps.linkMinutes * MINUTE
  const byNetwork = new TokenBuckets(deps.linksMax, lifetime, () => performance.now())
  const isOf = (link: SignInLink, browser: string | undefined): boolean =>
    browser !== undefined && link.browserHash === hashOf(browser)

  /** The code beside a link: it follows from the link and the service's key, and so stands in no table. */
  function codeOf(tokenHash: string): string {
    const number = Buffer.from(wrap.hash('sign-in code', tokenHash), 'base64url').readBigUInt64BE()
    return String(number % 10n ** BigInt(CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  }

  async function sendLink(email: string, language: string, browser: string, from: string | undefined): Promise<void> {
    const subscription = await subscriptions.findByEmail(wrap.hash('email', email))
    if (!subscription) return
    // The widest network, for there are too many narrow ones in it.
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

  /** Throws the same whether the browser asked for links or not, or an email would tell that it has a subscription. */
  async function linkByCode(entered: string, browser: string | undefined): Promise<SignInLink> {
    const pause = setTimeout(CODE_PAUSE)
    const digits = plain(entered).replaceAll(/\D/g, '')
    const now = clock()
    const asked = browser === undefined ? [] : await accounts.linksOf(hashOf(browser), now)
    for (const link of asked) {
      // Counted before it is compared: of many tries at once, no more than that are made.
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
      // After the answer has left: its time must not tell whether there is a subscription.
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

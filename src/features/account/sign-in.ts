import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AccountSession, AccountStore, StoredLink } from '#core/account/account.ts'
import { type EndRules, isActive, type Subscription, type SubscriptionStore } from '#core/billing/subscription.ts'
import { ignoreStoreFault, MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/ids.ts'
import { widestNetwork } from '#core/networks.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, MINUTE } from '#core/time.ts'
import { TokenBuckets } from '#core/token-buckets.ts'
import type { Emails } from '#features/email/index.ts'
import { createTurns } from '#lib/slots.ts'
import { hashOf, newToken } from '#lib/token.ts'
import { canonicalEmail, maskedEmail } from '#mail/email-address.ts'
import { plain } from '#mail/finder/digits.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { isTokenOf, type NewSession, newSession, sessionExists } from './new-session.ts'

/** The session of a request, and its subscription. */
export interface SignedIn {
  sessionId: string
  subscription: Subscription
  /** Whether the subscription has the benefits of Premium. */
  active: boolean
}

interface LinkRequest {
  email: string
  language: string
  /** The cookie that identifies the browser. */
  browser: string
  /** The IP address of the client. If it is undefined, all such requests share the limit of one network. */
  from?: string | undefined
  /** The token of the session that the browser has or had. */
  session?: string | undefined
}

/** Opens a sign-in link by its token, or by the code in its email. */
type OpenLink = ({ token: string } | { code: string }) & {
  /** The cookie that identifies the browser. */
  browser: string | undefined
  /** The token of the session that the browser has. */
  session?: string | undefined
  userAgent: string
}

/** What the page of a sign-in link shows. */
type LinkView = { state: 'here'; token: string; of: string } | { state: 'elsewhere'; code: string } | { state: 'over' }

export interface SignIn {
  /**
   * Sends a link if this email address has a subscription. Returns at once in both cases and does the work later.
   * Throws `email_invalid`.
   */
  ask(request: LinkRequest): void
  /**
   * Returns what a link is for a browser, without using it up:
   * - `here`: this browser requested it; `of` is the masked email address
   * - `elsewhere`: another browser requested it, where the code has to be entered
   * - `over`: the link no longer works, or has already signed in this browser, whose session has the token `session`
   */
  view(token: string, browser: string | undefined, session?: string): Promise<LinkView>
  /**
   * Signs in the browser that requested the link, and no other. Returns the token of the session. A repetition gets the
   * same session while it exists and the link has not expired, because the response may have been lost. Throws
   * `sign_in_link_invalid` or `sign_in_unconfirmed` for a link. Throws `sign_in_code_invalid` for a code, whatever is
   * wrong with it.
   */
  open(link: OpenLink): Promise<string>
  /** Finds the session of a token. Counts as a visit. Returns undefined for a malformed token. */
  find(token: string): Promise<SignedIn | undefined>
  end(signedIn: SignedIn): Promise<void>
  /** Whether the token is that of a session of this subscription, which has been deleted. */
  isDeleted(token: string, id: SubscriptionId): Promise<boolean>
  /** Resolves when all requested links are sent. */
  settled(): Promise<void>
  /** The links that networks and browsers requested, shared with other nodes. */
  rates: Record<'signInLinks', TokenBuckets>
}

interface SignInDeps {
  accounts: AccountStore
  subscriptions: Pick<SubscriptionStore, 'find' | 'findByEmail'>
  emails: Pick<Emails, 'queue' | 'add'>
  wrap: Wrap
  clock: Clock
  logger: Logger
  rules: EndRules
  /** URL of the page that opens a link. */
  linkUrl: (language: string, token: string) => string
  /**
   * How many minutes a link works, and how many links for one email address a network, or a browser that was signed in,
   * gets in that time.
   */
  linkMinutes: number
  linksMax: number
  /** Delay of the response to a wrong code, in milliseconds. */
  codePause: number
  /** How long a session lasts without a visit, in milliseconds. */
  sessionLifetime: number
  /** Locks other browsers out of all addresses of a subscription. */
  lockOut(subscription: Subscription): Promise<void>
}

/** A visit is recorded if the previous one is at least this long ago. */
const VISIT_GRANULARITY = MINUTE
/**
 * Nine digits, as in RFC 8628 (6.1). They can be typed on every keyboard, and five tries guess one code in 200 million.
 */
const CODE_DIGITS = 9
/**
 * How many networks may use up the links for one email address, so that strangers cannot send any number of emails to
 * it. As many again are left to the browsers that were signed in, because strangers would otherwise lock the owner out.
 */
const NETWORKS = 4

/**
 * Sign-in without a password: by a link to the subscription's email address, which works in the browser that requested
 * it (docs/decisions/018-sign-in.md).
 */
export function createSignIn(deps: SignInDeps): SignIn {
  const { accounts, subscriptions, emails, wrap, clock } = deps
  const pending = new Set<Promise<void>>()
  const lifetime = deps.linkMinutes * MINUTE
  // A browser may open a link twice at once; only one of these calls replaces the secrets.
  const turns = createTurns()
  const byHolder = new TokenBuckets(deps.linksMax, lifetime, () => performance.now())
  const isOf = (link: StoredLink, browser: string | undefined): boolean =>
    browser !== undefined && link.browserHash === hashOf(browser)

  /** Returns the session, new or not, of a link that the browser requested. */
  const sessionOf = (link: StoredLink, browser = '', userAgent = ''): NewSession =>
    newSession(
      wrap,
      link.subscriptionId,
      { cause: `link ${link.tokenHash}`, browser, userAgent },
      clock(),
      deps.sessionLifetime,
    )

  /** Returns the code of a link. It is derived from the link and the service key, so no table stores it. */
  function codeOf(tokenHash: string): string {
    const number = Buffer.from(wrap.hash('sign-in code', tokenHash), 'base64url').readBigUInt64BE()
    return String(number % 10n ** BigInt(CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  }

  /**
   * Takes a link from the allowance of the browser, if it was signed in to the subscription, or of its network. Returns
   * how many links there may be by then, or undefined if the allowance is used up.
   */
  function allowance(id: SubscriptionId, from: string | undefined, session = ''): number | undefined {
    const isKnown = isTokenOf(wrap, id, session)
    if (!isKnown && from === undefined) return deps.linksMax
    const holder = isKnown ? hashOf(session) : widestNetwork(from ?? '')
    if (!byHolder.take(`${id} ${holder}`).allowed) return undefined
    return deps.linksMax * NETWORKS * (isKnown ? 2 : 1)
  }

  async function sendLink({ email, language, browser, from, session }: LinkRequest): Promise<void> {
    const subscription = await subscriptions.findByEmail(wrap.hash('email', email))
    if (!subscription) return
    const max = allowance(subscription.id, from, session)
    if (max === undefined) return
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

  async function linkByToken(token: string, browser: string | undefined): Promise<StoredLink> {
    const link = await accounts.findLink(hashOf(token), clock())
    const isOwn = link && isOf(link, browser)
    if (!link || (link.used && !isOwn)) throw new MayflyError('sign_in_link_invalid')
    if (!isOwn) throw new MayflyError('sign_in_unconfirmed')
    return link
  }

  /**
   * Throws the same error whether or not the browser requested links. Otherwise the error would reveal that the email
   * address has a subscription.
   */
  async function linkByCode(input: string, browser: string | undefined): Promise<StoredLink> {
    const pause = setTimeout(deps.codePause)
    const digits = plain(input).replaceAll(/\D/g, '')
    const now = clock()
    const links = browser === undefined ? [] : await accounts.linksOf(hashOf(browser), now)
    for (const link of links) {
      // Counted before the comparison, so that concurrent requests make no more tries than allowed. A link that this
      // browser has used needs no limit, because the browser knows it.
      const isAllowed = link.used || (await accounts.tryLink(link.tokenHash, now))
      if (isAllowed && codeOf(link.tokenHash) === digits) return link
    }
    await pause
    throw new MayflyError('sign_in_code_invalid')
  }

  /** Returns the session that the browser has, if it is one of this subscription. */
  async function ownSession(id: SubscriptionId, token: string | undefined): Promise<AccountSession | undefined> {
    const own = token === undefined ? undefined : await accounts.findSession(hashOf(token), clock())
    return own?.subscriptionId === id ? own : undefined
  }

  /**
   * Locks out the browser that paid, which is not the one that confirms the email address now: the payer may be someone
   * else. If this fails midway, the subscription is still unconfirmed and the link unused, and the next attempt repeats
   * it.
   */
  async function takeOver(id: SubscriptionId): Promise<void> {
    const subscription = await subscriptions.find(id)
    if (!subscription || subscription.confirmed) return
    await accounts.endUnconfirmed(id)
    await deps.lockOut(subscription)
  }

  return {
    rates: { signInLinks: byHolder },

    ask(request) {
      const email = canonicalEmail(request.email)
      if (email === undefined) throw new MayflyError('email_invalid')
      // Runs after the response: its time must not reveal whether a subscription exists.
      const task = setImmediate()
        .then(() => sendLink({ ...request, email }))
        .catch((error: unknown) => deps.logger.error({ err: error }, 'sign-in link failed'))
        .finally(() => pending.delete(task))
      pending.add(task)
    },

    async view(token, browser, current) {
      const link = await accounts.findLink(hashOf(token), clock())
      const subscription = link && (await subscriptions.find(link.subscriptionId))
      if (!subscription) return { state: 'over' }
      if (!isOf(link, browser))
        return link.used ? { state: 'over' } : { state: 'elsewhere', code: codeOf(link.tokenHash) }
      const made = sessionOf(link, browser)
      if (link.used && (made.token === current || !(await sessionExists(accounts, made, clock()))))
        return { state: 'over' }
      return {
        state: 'here',
        token,
        of: maskedEmail(wrap.unwrapOrEmpty('email', subscription.sealedEmail, subscription.emailKey)),
      }
    },

    async open({ browser, session: current, userAgent, ...credential }) {
      const [link, problem] =
        'token' in credential
          ? ([await linkByToken(credential.token, browser), 'sign_in_link_invalid'] as const)
          : ([await linkByCode(credential.code, browser), 'sign_in_code_invalid'] as const)
      const made = sessionOf(link, browser, userAgent)
      const isAdded =
        !link.used &&
        (await turns.run(link.subscriptionId, async () => {
          const replaced = await ownSession(link.subscriptionId, current)
          if (!replaced) await takeOver(link.subscriptionId)
          return accounts.addSession(made.session, link.tokenHash, replaced?.id)
        }))
      if (!isAdded && !(await sessionExists(accounts, made, clock()))) throw new MayflyError(problem)
      return made.token
    },

    async find(token) {
      const now = clock()
      const session = await accounts.findSession(hashOf(token), now)
      const subscription = session && (await subscriptions.find(session.subscriptionId))
      if (!subscription) return undefined
      if (now - session.seenAt >= VISIT_GRANULARITY) {
        // If the store cannot write, the visit is not recorded, but reading still works.
        await accounts.touchSession(session.id, now, now + deps.sessionLifetime).catch(ignoreStoreFault)
      }
      return { sessionId: session.id, subscription, active: isActive(subscription, deps.rules, now) }
    },

    async end({ sessionId, subscription }) {
      await accounts.endSession(subscription.id, sessionId)
    },

    isDeleted: async (token, id) => isTokenOf(wrap, id, token) && (await subscriptions.find(id)) === undefined,

    async settled() {
      await Promise.all(pending)
    },
  }
}

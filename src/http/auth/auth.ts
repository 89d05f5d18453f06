import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { KeptAddresses, SignedIn } from '#features/account/index.ts'
import type { Addresses, OpenedAddress } from '#features/mailbox/index.ts'
import type { HttpOptions } from '../options.ts'
import { isSecureRequest } from '../request-origin.ts'
import { COOKIE_SECONDS, cookieAttributes, cookieName } from './cookies.ts'
import type { EarlierAddresses } from './earlier-addresses.ts'
import type { Grant } from './guard.ts'

/** An address, and the grants that let this request use it. */
export interface RequestAddress extends OpenedAddress, Grant {}

/**
 * The credential of a request: the secret of an address, or the pass of a signed-in browser for a kept address
 * (`KeptAddresses.passFor`).
 */
type Credential =
  | { by: 'bearer' | 'cookie'; secret: string; pass?: undefined; ofSession: boolean }
  | { by: 'cookie'; secret?: undefined; pass: string; ofSession: true }

export interface Auth {
  /** Returns the credential of a request. A cookie counts only if the request does not come from another site. */
  credentialOf(request: FastifyRequest): Credential | undefined
  /**
   * Returns the live address of the request, or undefined. A pass of a subscriber works only while the browser is
   * signed in: signing a browser out also removes its access to the address.
   */
  open(request: FastifyRequest): Promise<RequestAddress | undefined>
  /**
   * Like `open`, but throws `unauthorized`, which does not reveal whether the secret ever existed. Also throws it if the
   * page of the request shows another address.
   */
  requireAddress(request: FastifyRequest): Promise<RequestAddress>
  /**
   * Throws `unauthorized` if the page of a request shows another address than the one that the request would act on: another
   * window has opened that one since.
   */
  requireShown(request: FastifyRequest, address: string): void
  /** Sets the address that the page of a request shows, for forms, which can't send the header. */
  setShown(request: FastifyRequest, address: string | undefined): void
  /**
   * Whether the request comes from a page of this site. Browsers send `Origin` with every request that changes state.
   */
  isOwnOrigin(request: FastifyRequest): boolean
  /** Throws `forbidden_origin` unless the request comes from a page of this site. */
  requireOwnOrigin(request: FastifyRequest): void
  /**
   * Gives the browser an address: its secret or, if the browser is signed in to the subscription that keeps the
   * address, a pass that becomes invalid at sign-out. A visitor who came by a link to a kept address has the secret and
   * needs no account.
   */
  setCookie(request: FastifyRequest, reply: FastifyReply, opened: OpenedAddress): Promise<void>
  /** Replaces the secret in the cookie of a subscriber by a pass. Call it after `open`. */
  renewCookie(request: FastifyRequest, reply: FastifyReply): void
  clearCookie(reply: FastifyReply): void
}

interface AuthDeps {
  earlier: Pick<EarlierAddresses, 'note'>
  addresses: Pick<Addresses, 'open' | 'validUntil'>
  kept: Pick<KeptAddresses, 'passFor' | 'openPass'>
  /** Returns who is signed in with the browser of a request. */
  signedIn(request: FastifyRequest): Promise<SignedIn | undefined>
}

/** Prefix of a pass in the cookie of a subscriber. */
const PASS = 'kept.'
/** Suffix of a secret in cookies of subscribers that earlier versions set. */
const OF_SESSION = '.s'

/** With the value `no`, a request does not count as a visit. The service worker sends it: it runs without the visitor. */
const VISIT_HEADER = 'x-visit'

/** Whether a request, or the stream that responds to it, extends the addresses that it opens. */
export const countsAsVisit = ({ headers }: FastifyRequest): boolean => headers[VISIT_HEADER] !== 'no'

/** The address that the page of a request shows; empty for none. Programs need not send it. */
const SHOWN_HEADER = 'x-address'

/** Methods that change nothing (RFC 9110 9.2.1). */
export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function createAuth(
  { addresses, kept, signedIn, earlier }: AuthDeps,
  options: Pick<HttpOptions, 'publicUrl'>,
): Auth {
  const nameOf = (request: FastifyRequest): string => cookieName('secret', isSecureRequest(request, options))
  /** Passes for requests whose cookies still contain the secret. */
  const renewals = new WeakMap<FastifyRequest, string>()

  function isOwnOrigin(request: FastifyRequest): boolean {
    const { origin = '', host } = request.headers
    if (origin === options.publicUrl) return true
    const url = URL.parse(origin)
    // On an https site, a cookie of the same name without the prefix may have been set by anyone on the network path.
    return url !== null && url.host === host && !(isSecureRequest(request, options) && url.protocol === 'http:')
  }

  function requireOwnOrigin(request: FastifyRequest): void {
    if (!isOwnOrigin(request)) throw new MayflyError('forbidden_origin')
  }

  function credentialOf(request: FastifyRequest): Credential | undefined {
    const bearer = /^Bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? '')
    if (bearer) return { by: 'bearer', secret: bearer[1] ?? '', ofSession: false }
    const cookie = request.cookies[nameOf(request)]
    if (cookie === undefined) return undefined
    if (cookie.startsWith(PASS)) return { by: 'cookie', pass: cookie.slice(PASS.length), ofSession: true }
    const ofSession = cookie.endsWith(OF_SESSION)
    return { by: 'cookie', secret: ofSession ? cookie.slice(0, -OF_SESSION.length) : cookie, ofSession }
  }

  const byItself = (opened: OpenedAddress): RequestAddress => ({
    ...opened,
    topics: [opened.open.row.id],
    validUntil: () => addresses.validUntil(opened.open),
  })

  /** For as long as the browser is signed in. */
  const bySession = (
    request: FastifyRequest,
    opened: OpenedAddress,
    { sessionId, subscription }: SignedIn,
  ): RequestAddress => ({
    ...opened,
    topics: [opened.open.row.id, subscription.id],
    async validUntil() {
      const [now, until] = await Promise.all([signedIn(request), addresses.validUntil(opened.open)])
      return now?.sessionId === sessionId ? until : 0
    },
  })

  async function openPass(request: FastifyRequest, pass: string): Promise<RequestAddress | undefined> {
    const owner = await signedIn(request)
    const opened = owner && (await kept.openPass(owner, pass, countsAsVisit(request)))
    return opened && bySession(request, opened, owner)
  }

  async function openSecret(
    request: FastifyRequest,
    { secret, by, ofSession }: Credential & { secret: string },
  ): Promise<RequestAddress | undefined> {
    const opened = await addresses.open(secret, countsAsVisit(request))
    if (!opened) return undefined
    const { id, subscriptionId } = opened.row
    const owner = by === 'cookie' && subscriptionId !== null ? await signedIn(request) : undefined
    if (!owner || owner.subscription.id !== subscriptionId)
      return ofSession ? undefined : byItself({ secret, open: opened })
    renewals.set(request, kept.passFor(owner, id))
    return bySession(request, { secret, open: opened }, owner)
  }

  async function open(request: FastifyRequest): Promise<RequestAddress | undefined> {
    const credential = credentialOf(request)
    if (!credential) return undefined
    if (credential.by === 'cookie' && !SAFE_METHODS.has(request.method)) requireOwnOrigin(request)
    return credential.pass === undefined ? openSecret(request, credential) : openPass(request, credential.pass)
  }

  function requireShown({ headers }: FastifyRequest, address: string): void {
    if ((headers[SHOWN_HEADER] ?? address) !== address) throw otherAddress()
  }

  const keepCookie = (reply: FastifyReply, value: string): void =>
    void reply.setCookie(nameOf(reply.request), value, {
      ...cookieAttributes(isSecureRequest(reply.request, options)),
      maxAge: COOKIE_SECONDS,
    })

  return {
    credentialOf,
    isOwnOrigin,
    requireOwnOrigin,
    open,
    async requireAddress(request) {
      const opened = await open(request)
      if (!opened) throw unauthorized(credentialOf(request))
      requireShown(request, opened.open.address)
      return opened
    },
    requireShown,
    setShown: ({ headers }, address) => void (headers[SHOWN_HEADER] = address),
    async setCookie(request, reply, opened) {
      const {
        secret,
        open: { row },
      } = opened
      const owner = row.subscriptionId === null ? undefined : await signedIn(request)
      const own = owner !== undefined && owner.subscription.id === row.subscriptionId
      keepCookie(reply, own ? PASS + kept.passFor(owner, row.id) : secret)
      // After the cookie of the address, which clients look for first.
      earlier.note(request, reply, opened)
    },
    renewCookie(request, reply) {
      const pass = renewals.get(request)
      if (pass !== undefined) keepCookie(reply, PASS + pass)
    },
    clearCookie: (reply) =>
      void reply.clearCookie(nameOf(reply.request), cookieAttributes(isSecureRequest(reply.request, options))),
  }
}

const API_KEY_IS_NO_SECRET = 'This is an API key. Send it as `X-Api-Key`, beside the secret of the address.'
const NO_SECRET =
  'The secret is missing or wrong, or the address has expired or was deleted. Send the secret as `Authorization: Bearer SECRET`.'

/** Says what a request lacks, but not whether its secret ever opened an address. */
export const unauthorized = (credential: Credential | undefined): MayflyError =>
  new MayflyError('unauthorized', credential?.secret?.startsWith('mfk_') ? API_KEY_IS_NO_SECRET : NO_SECRET)

export const otherAddress = (): MayflyError => new MayflyError('unauthorized', 'The request is for another address')

/** Grants of the signed-in subscriber, whatever address the request is about. */
export const signedInGrant = (
  request: FastifyRequest,
  { sessionId, subscription }: SignedIn,
  find: AuthDeps['signedIn'],
): Grant => ({
  topics: [subscription.id],
  validUntil: async () => ((await find(request))?.sessionId === sessionId ? NEVER : 0),
})

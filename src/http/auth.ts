import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { SubscriptionId } from '#core/subscription.ts'
import type { Addresses, OpenAddress } from '#features/addresses.ts'
import { isSecureRequest } from './asked.ts'
import type { HttpOptions } from './options.ts'

/** As long as browsers let a cookie live; the address decides when it is over. */
export const COOKIE_SECONDS = 400 * 24 * 3600

/** The name of a cookie; under https one that no other host and no page without https can set (RFC 6265bis 4.1.3.2). */
export const cookieName = (name: string, secure: boolean): string => `${secure ? '__Host-' : ''}mayfly_${name}`
export const cookieAttributes = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const

export interface Session {
  open: OpenAddress
  secret: string
}

export interface Credential {
  secret: string
  by: 'bearer' | 'cookie'
  /** Whether this browser has it as a subscriber's, and no longer than it is signed in. */
  ofSession: boolean
}

export interface Auth {
  /** The secret a request bears, and how. A cookie counts only where the request isn't another site's. */
  secretOf(request: FastifyRequest): Credential | undefined
  /**
   * The live address of the request; undefined where there is none. What a browser has as a subscriber's is there only while
   * it is signed in: who signs another browser out takes its address away too.
   */
  open(request: FastifyRequest): Promise<Session | undefined>
  /** The same; throws `unauthorized`, the same for a secret that never was. */
  session(request: FastifyRequest): Promise<Session>
  /** Whether the request comes from a page of this site. Browsers send `Origin` with everything that changes state. */
  isOwnOrigin(request: FastifyRequest): boolean
  /** Throws `forbidden_origin` unless the request comes from a page of this site. */
  requireOwnOrigin(request: FastifyRequest): void
  setCookie(reply: FastifyReply, opened: Session): void
  /** The same for who came by the address's own link: it stays without being signed in. */
  setLinkCookie(reply: FastifyReply, secret: string): void
  clearCookie(reply: FastifyReply): void
}

/** Behind the secret in the cookie of a subscriber. */
const OF_SESSION = '.s'

/** Methods that change nothing (RFC 9110 9.2.1). */
export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** `isSignedIn`: whether a request is of a browser that is signed in to this subscription. */
export function createAuth(
  addresses: Pick<Addresses, 'open'>,
  options: Pick<HttpOptions, 'publicUrl'>,
  isSignedIn: (request: FastifyRequest, id: SubscriptionId | null) => Promise<boolean>,
): Auth {
  const nameOf = (request: FastifyRequest): string => cookieName('secret', isSecureRequest(request, options))
  function isOwnOrigin(request: FastifyRequest): boolean {
    const { origin = '', host } = request.headers
    if (origin === options.publicUrl) return true
    const url = URL.parse(origin)
    // Where the site is https, a page of the same name without it may be anybody's on the way.
    return url !== null && url.host === host && !(isSecureRequest(request, options) && url.protocol === 'http:')
  }

  function requireOwnOrigin(request: FastifyRequest): void {
    if (!isOwnOrigin(request)) throw new MayflyError('forbidden_origin')
  }

  function secretOf(request: FastifyRequest): ReturnType<Auth['secretOf']> {
    const bearer = /^Bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? '')
    if (bearer) return { secret: bearer[1] ?? '', by: 'bearer', ofSession: false }
    const cookie = request.cookies[nameOf(request)]
    if (cookie === undefined) return undefined
    const ofSession = cookie.endsWith(OF_SESSION)
    return { secret: ofSession ? cookie.slice(0, -OF_SESSION.length) : cookie, by: 'cookie', ofSession }
  }

  async function open(request: FastifyRequest): Promise<Session | undefined> {
    const credential = secretOf(request)
    if (!credential) return undefined
    const { secret, by, ofSession } = credential
    if (by === 'cookie' && !SAFE_METHODS.has(request.method)) requireOwnOrigin(request)
    const opened = await addresses.open(secret)
    if (!opened) return undefined
    if (ofSession && !(await isSignedIn(request, opened.row.subscriptionId))) return undefined
    return { open: opened, secret }
  }

  const keepCookie = (reply: FastifyReply, value: string): void =>
    void reply.setCookie(nameOf(reply.request), value, {
      ...cookieAttributes(isSecureRequest(reply.request, options)),
      maxAge: COOKIE_SECONDS,
    })

  return {
    secretOf,
    isOwnOrigin,
    requireOwnOrigin,
    open,
    async session(request) {
      const session = await open(request)
      if (!session) throw new MayflyError('unauthorized')
      return session
    },
    setCookie: (reply, { secret, open: { row } }) =>
      keepCookie(reply, row.subscriptionId ? secret + OF_SESSION : secret),
    setLinkCookie: keepCookie,
    clearCookie: (reply) =>
      void reply.clearCookie(nameOf(reply.request), cookieAttributes(isSecureRequest(reply.request, options))),
  }
}

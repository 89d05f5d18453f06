import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { Addresses, OpenAddress } from '#features/addresses.ts'
import type { HttpOptions } from './options.ts'

/** As long as browsers let a cookie live; the address decides when it is over. */
const COOKIE_SECONDS = 400 * 24 * 3600

export interface Session {
  open: OpenAddress
  secret: string
}

export interface Auth {
  /** The secret a request bears, and how. A cookie counts only where the request isn't another site's. */
  secretOf(request: FastifyRequest): { secret: string; by: 'bearer' | 'cookie' } | undefined
  /** The address of the request; throws `unauthorized`, the same for a secret that never was. */
  session(request: FastifyRequest): Promise<Session>
  /** Whether the request comes from a page of this site. Browsers send `Origin` with everything that changes state. */
  isOwnOrigin(request: FastifyRequest): boolean
  /** Throws `forbidden_origin` unless the request comes from a page of this site. */
  requireOwnOrigin(request: FastifyRequest): void
  setCookie(reply: FastifyReply, secret: string): void
  clearCookie(reply: FastifyReply): void
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export function createAuth(addresses: Pick<Addresses, 'open'>, options: Pick<HttpOptions, 'publicUrl'>): Auth {
  const secure = options.publicUrl.startsWith('https:')
  const cookieName = secure ? '__Host-mayfly_secret' : 'mayfly_secret'
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const

  function isOwnOrigin(request: FastifyRequest): boolean {
    const { origin = '', host } = request.headers
    if (origin === options.publicUrl) return true
    const url = URL.parse(origin)
    // Where the site is https, a page of the same name without it may be anybody's on the way.
    return url !== null && url.host === host && !(secure && url.protocol === 'http:')
  }

  function requireOwnOrigin(request: FastifyRequest): void {
    if (!isOwnOrigin(request)) throw new MayflyError('forbidden_origin')
  }

  function secretOf(request: FastifyRequest): ReturnType<Auth['secretOf']> {
    const bearer = /^Bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? '')
    if (bearer) return { secret: bearer[1] ?? '', by: 'bearer' }
    const cookie = request.cookies[cookieName]
    return cookie === undefined ? undefined : { secret: cookie, by: 'cookie' }
  }

  return {
    secretOf,
    isOwnOrigin,
    requireOwnOrigin,
    async session(request) {
      const credential = secretOf(request)
      if (credential?.by === 'cookie' && !SAFE.has(request.method)) requireOwnOrigin(request)
      const open = credential && (await addresses.open(credential.secret))
      if (!open) throw new MayflyError('unauthorized')
      return { open, secret: credential.secret }
    },
    setCookie: (reply, secret) => void reply.setCookie(cookieName, secret, { ...attributes, maxAge: COOKIE_SECONDS }),
    clearCookie: (reply) => void reply.clearCookie(cookieName, attributes),
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { SignedIn, SignIn } from '#features/sign-in.ts'
import { newToken } from '#features/token.ts'
import { type Auth, COOKIE_SECONDS, SAFE_METHODS } from './auth.ts'
import type { HttpOptions } from './options.ts'

const DAY_SECONDS = 24 * 3600

export interface AccountAuth {
  /** Who is signed in; throws `not_signed_in`, and `forbidden_origin` where something is to change from another site. */
  session(request: FastifyRequest): Promise<SignedIn>
  /** The same; undefined where nobody is signed in. */
  find(request: FastifyRequest): Promise<SignedIn | undefined>
  setCookie(reply: FastifyReply, token: string): void
  clearCookie(reply: FastifyReply): void
  /** What a browser is known by for a day, so that links and orders are its own; undefined where it isn't known. */
  browserOf(request: FastifyRequest): string | undefined
  /** The same, made where it isn't there, and from now on for a day again. */
  knowBrowser(request: FastifyRequest, reply: FastifyReply): string
}

/** The cookie of a subscriber who is signed in, beside that of the address. Both are the site's own: the API has no use for them. */
export function createAccountAuth(
  accounts: Pick<SignIn, 'find'>,
  auth: Pick<Auth, 'requireOwnOrigin'>,
  options: Pick<HttpOptions, 'publicUrl'>,
): AccountAuth {
  const secure = options.publicUrl.startsWith('https:')
  const prefix = secure ? '__Host-' : ''
  const names = { account: `${prefix}mayfly_account`, browser: `${prefix}mayfly_browser` }
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const

  async function find(request: FastifyRequest): Promise<SignedIn | undefined> {
    const token = request.cookies[names.account]
    if (token === undefined) return undefined
    if (!SAFE_METHODS.has(request.method)) auth.requireOwnOrigin(request)
    return accounts.find(token)
  }

  const browserOf = (request: FastifyRequest): string | undefined => request.cookies[names.browser] || undefined

  return {
    find,
    browserOf,
    async session(request) {
      const signedIn = await find(request)
      if (!signedIn) throw new MayflyError('not_signed_in')
      return signedIn
    },
    setCookie: (reply, token) => void reply.setCookie(names.account, token, { ...attributes, maxAge: COOKIE_SECONDS }),
    clearCookie: (reply) => void reply.clearCookie(names.account, attributes),
    knowBrowser(request, reply) {
      const browser = browserOf(request) ?? newToken()
      reply.setCookie(names.browser, browser, { ...attributes, maxAge: DAY_SECONDS })
      return browser
    },
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { SignIn, SignedIn } from '#features/account/index.ts'
import { newToken } from '#lib/token.ts'
import type { HttpOptions } from '../options.ts'
import { isSecureRequest } from '../request-origin.ts'
import { type Auth, SAFE_METHODS } from './auth.ts'
import { COOKIE_SECONDS, cookieAttributes, cookieName } from './cookies.ts'

const DAY_SECONDS = 24 * 3600

export interface AccountAuth {
  /**
   * Returns the signed-in subscriber. Throws `not_signed_in`, also if the page shows another account, or
   * `forbidden_origin` if a request from another site would change something.
   */
  session(request: FastifyRequest): Promise<SignedIn>
  /** Like `session`, but returns undefined if nobody is signed in. */
  find(request: FastifyRequest): Promise<SignedIn | undefined>
  /** Like `find`, but only if the page does not show another account. */
  findShown(request: FastifyRequest): Promise<SignedIn | undefined>
  /** Returns the id of the account that the page shows, or an empty string. Programs do not send one. */
  shown(request: FastifyRequest): string
  /** Returns the token of the session cookie, whether or not there is such a session. */
  tokenOf(request: FastifyRequest): string | undefined
  /** Signs in the browser. The rest of the request is by that session. */
  setCookie(reply: FastifyReply, token: string): void
  clearCookie(reply: FastifyReply): void
  /**
   * Returns the id of the browser, which binds links and orders to it for a day. Returns undefined if the browser has
   * none.
   */
  browserOf(request: FastifyRequest): string | undefined
  /** Like `browserOf`, but creates the id if it is missing, and renews it for a day. */
  knowBrowser(request: FastifyRequest, reply: FastifyReply): string
}

/**
 * The cookie of a signed-in subscriber, in addition to that of the address. Both are for the site only; the API does
 * not use them.
 */
export function createAccountAuth(
  accounts: Pick<SignIn, 'find'>,
  auth: Pick<Auth, 'requireOwnOrigin'>,
  options: Pick<HttpOptions, 'publicUrl'>,
): AccountAuth {
  const cookieOf = (request: FastifyRequest, name: 'account' | 'browser'): string | undefined =>
    request.cookies[cookieName(name, isSecureRequest(request, options))]
  const setCookie = (reply: FastifyReply, name: 'account' | 'browser', value: string, maxAge: number): void => {
    const secure = isSecureRequest(reply.request, options)
    void reply.setCookie(cookieName(name, secure), value, { ...cookieAttributes(secure), maxAge })
  }

  async function find(request: FastifyRequest): Promise<SignedIn | undefined> {
    const token = cookieOf(request, 'account')
    if (token === undefined) return undefined
    if (!SAFE_METHODS.has(request.method)) auth.requireOwnOrigin(request)
    return accounts.find(token)
  }

  const browserOf = (request: FastifyRequest): string | undefined => cookieOf(request, 'browser') || undefined

  /** A download is a link, which has no headers. */
  const shown = ({ headers, query }: FastifyRequest): string =>
    String(headers['x-account'] ?? (query as { account?: string }).account ?? '')

  async function findShown(request: FastifyRequest): Promise<SignedIn | undefined> {
    const signedIn = await find(request)
    const account = shown(request)
    // Another tab may have signed in to another account since.
    return account === '' || account === signedIn?.subscription.id ? signedIn : undefined
  }

  return {
    find,
    findShown,
    shown,
    browserOf,
    tokenOf: (request) => cookieOf(request, 'account'),
    async session(request) {
      const signedIn = await findShown(request)
      if (!signedIn) throw new MayflyError('not_signed_in')
      return signedIn
    },
    setCookie(reply, token) {
      setCookie(reply, 'account', token, COOKIE_SECONDS)
      const { request } = reply
      request.cookies[cookieName('account', isSecureRequest(request, options))] = token
    },
    clearCookie(reply) {
      const secure = isSecureRequest(reply.request, options)
      void reply.clearCookie(cookieName('account', secure), cookieAttributes(secure))
    },
    knowBrowser(request, reply) {
      const browser = browserOf(request) ?? newToken()
      setCookie(reply, 'browser', browser, DAY_SECONDS)
      return browser
    },
  }
}

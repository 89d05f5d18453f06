import type { FastifyInstance } from 'fastify'
import type { TokenBuckets } from '#core/token-buckets.ts'
import type { AccountAuth } from './auth/account-auth.ts'
import type { Auth } from './auth/auth.ts'
import type { KeyAuth } from './auth/key-auth.ts'
import type { OpenCounts } from './limits/limits.ts'
import type { HttpDeps, HttpOptions } from './options.ts'
import type { PageTokens } from './pages/page-tokens.ts'

/** What every file of routes gets. */
export interface RouteContext {
  options: HttpOptions
  deps: HttpDeps
  auth: Auth
  /** Who is signed in to Premium. */
  account: AccountAuth
  /** Tokens of links that a browser followed. */
  tokens: PageTokens
  /** Whose API key a request bears. */
  keys: KeyAuth
  /** New addresses of one client. */
  creations: TokenBuckets
  /** Forms to the operator, of one client. */
  emails: TokenBuckets
  /** Orders of one client. */
  orders: TokenBuckets
  /** Sign-in links that one client asks for. */
  signIns: TokenBuckets
  /** Calls of payment services, by the client that makes them. */
  paymentCalls: TokenBuckets
  /** New destinations of forwarding that one client names. */
  forwardAsks: TokenBuckets
  /** Look-ups of own domains that one subscriber asks for. */
  domainChecks: TokenBuckets
  /** Test calls to webhooks that one subscriber asks for. */
  webhookTests: TokenBuckets
  streams: OpenCounts
  /** Aborts at the stop of the server. */
  stopping: AbortSignal
}

export type Routes = (app: FastifyInstance, context: RouteContext) => void

import type { FastifyInstance } from 'fastify'
import type { AccountAuth } from './auth/account-auth.ts'
import type { Auth } from './auth/auth.ts'
import type { EarlierAddresses } from './auth/earlier-addresses.ts'
import type { KeyAuth } from './auth/key-auth.ts'
import type { OpenCounts } from './limits/limits.ts'
import type { Rates, RequestBuckets } from './limits/rates.ts'
import type { HttpDeps, HttpOptions } from './options.ts'
import type { PageTokens } from './pages/page-tokens.ts'
import type { Heartbeats } from './streams/heartbeats.ts'

/** The dependencies of every file of routes. */
export interface RouteContext {
  options: HttpOptions
  deps: HttpDeps
  auth: Auth
  /** The addresses that the browser had before. */
  earlier: EarlierAddresses
  /** Finds who is signed in to Premium. */
  account: AccountAuth
  /** Handles tokens of links that a browser followed. */
  tokens: PageTokens
  /** Finds the owner of the API key in a request. */
  keys: KeyAuth
  rates: Rates<RequestBuckets>
  streams: OpenCounts
  heartbeats: Heartbeats
  /** Aborts when the server stops. */
  stopping: AbortSignal
}

export type Routes = (app: FastifyInstance, context: RouteContext) => void

import type { FastifyInstance } from 'fastify'
import type { Auth } from './auth.ts'
import type { OpenCounts, TokenBuckets } from './limits.ts'
import type { HttpDeps, HttpOptions } from './options.ts'

/** What every file of routes gets. */
export interface RouteContext {
  options: HttpOptions
  deps: HttpDeps
  auth: Auth
  /** New addresses of one client. */
  creations: TokenBuckets
  /** Forms to the operator, of one client. */
  letters: TokenBuckets
  streams: OpenCounts
  /** Aborts at the stop of the server. */
  stopping: AbortSignal
}

export type Routes = (app: FastifyInstance, context: RouteContext) => void

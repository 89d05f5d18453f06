import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenBuckets } from '#core/token-buckets.ts'
import type { ApiKeys, KeyHolder } from '#features/account/index.ts'
import { takeOrThrow } from '../limits/limits.ts'
import type { Grant } from './guard.ts'

/** The header that a key comes in. */
const KEY_HEADER = 'x-api-key'

export interface KeyAuth {
  /**
   * Takes from the bucket of the key that a request bears. False where it bears none; throws `key_invalid` for a wrong one,
   * whatever else the request could be allowed without it.
   */
  limit(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
  /** Whose key the request bears; undefined without one. */
  holder(request: FastifyRequest): KeyHolder | undefined
  /** What must hold as long as the request goes on: nothing where it bears no key. */
  grants(request: FastifyRequest): Grant[]
}

interface KeyBuckets {
  /** Requests of one key. */
  keys: TokenBuckets
  /** Keys of one client that must be looked up: most of those that guess are wrong. */
  keyLookUps: TokenBuckets
}

export function createKeyAuth(
  apiKeys: Pick<ApiKeys, 'knows' | 'find' | 'holdsUntil'>,
  { keys, keyLookUps }: KeyBuckets,
): KeyAuth {
  const holders = new WeakMap<FastifyRequest, KeyHolder>()

  return {
    async limit(request, reply) {
      const token = request.headers[KEY_HEADER]
      if (token === undefined) return false
      const text = String(token)
      if (!apiKeys.knows(text)) takeOrThrow(keyLookUps, request, reply)
      const holder = await apiKeys.find(text)
      takeOrThrow(keys, request, reply, holder.keyId)
      holders.set(request, holder)
      return true
    },
    holder: (request) => holders.get(request),
    grants(request) {
      const holder = holders.get(request)
      return holder ? [{ topics: [holder.subscription.id], holdsUntil: () => apiKeys.holdsUntil(holder) }] : []
    },
  }
}

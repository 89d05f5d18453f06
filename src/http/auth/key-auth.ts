import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenBuckets } from '#core/token-buckets.ts'
import type { ApiKeys, KeyHolder } from '#features/account/index.ts'
import { takeOrThrow } from '../limits/limits.ts'
import type { Rates } from '../limits/rates.ts'
import type { Grant } from './guard.ts'

/** The header that carries the key. */
const KEY_HEADER = 'x-api-key'

export interface KeyAuth {
  /**
   * Takes a token from the bucket of the key in a request. Returns false without a key. Throws `key_invalid` for a
   * wrong key, even if the request would be allowed without one.
   */
  limit(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
  /** Returns the owner of the key in the request, or undefined without a key. */
  holder(request: FastifyRequest): KeyHolder | undefined
  /** Returns the grants that must hold while the request runs: none without a key. */
  grants(request: FastifyRequest): Grant[]
}

export function createKeyAuth(
  apiKeys: Pick<ApiKeys, 'knows' | 'find' | 'validUntil'>,
  { keys, keyLookUps }: Pick<Rates<TokenBuckets>, 'keys' | 'keyLookUps'>,
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
      return holder ? [{ topics: [holder.subscription.id], validUntil: () => apiKeys.validUntil(holder) }] : []
    },
  }
}

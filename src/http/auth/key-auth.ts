import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasCode, MayflyError } from '#core/errors.ts'
import { visitorNetworks } from '#core/networks.ts'
import type { ApiKeys, KeyHolder } from '#features/account/index.ts'
import { createKeyedSlots } from '#lib/slots.ts'
import { takeOrThrow } from '../limits/limits.ts'
import type { Rates, RequestBuckets } from '../limits/rates.ts'
import type { Grant } from './guard.ts'

/** The header that carries the key. */
const KEY_HEADER = 'x-api-key'

/**
 * Look-ups of unknown keys for one network. One at a time, so that a guesser takes little from the store; and not
 * refused in advance, because one of the keys may be valid.
 */
const LOOK_UPS = { atOnce: 1, maxWaiting: 1000, refusal: () => new MayflyError('too_many_requests') }

export interface KeyAuth {
  /**
   * Takes a token from the bucket of the key in a request. Returns false without a key. Throws `key_invalid` for a
   * wrong key, even if the request would be allowed without one, or `too_many_requests` if the client has sent too many
   * of them. Wrong keys do not affect the valid ones of the same client.
   */
  limit(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
  /** Returns the owner of the key in the request, or undefined without a key. */
  holder(request: FastifyRequest): KeyHolder | undefined
  /** Returns the grants that must hold while the request runs: none without a key. */
  grants(request: FastifyRequest): Grant[]
}

export function createKeyAuth(
  apiKeys: Pick<ApiKeys, 'knows' | 'find' | 'validUntil'>,
  { keys, wrongKeys }: Pick<Rates<RequestBuckets>, 'keys' | 'wrongKeys'>,
): KeyAuth {
  const holders = new WeakMap<FastifyRequest, KeyHolder>()
  const lookUps = createKeyedSlots(LOOK_UPS)

  async function find(token: string, ip: string): Promise<KeyHolder> {
    if (apiKeys.knows(token)) return apiKeys.find(token)
    return lookUps.run(visitorNetworks(ip).at(-1)?.name ?? '', () => apiKeys.find(token))
  }

  return {
    async limit(request, reply) {
      const token = request.headers[KEY_HEADER]
      if (token === undefined) return false
      const holder = await find(String(token), request.ip).catch((error: unknown) => {
        if (hasCode(error, 'key_invalid')) takeOrThrow(wrongKeys, request, reply)
        throw error
      })
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

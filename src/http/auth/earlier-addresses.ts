import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, DAY, MINUTE } from '#core/time.ts'
import type { OpenedAddress } from '#features/mailbox/index.ts'
import type { HttpOptions } from '../options.ts'
import { isSecureRequest } from '../request-origin.ts'
import { cookieAttributes, cookieName } from './cookies.ts'

/** An address that this browser had, with the secret that opens it or takes its name again. */
interface EarlierAddress {
  address: string
  secret: string
  /** When the browser last used it, in milliseconds since the epoch. */
  usedAt: number
}

export const KEPT_FOR = 30 * DAY
/** More would not fit into one cookie (4 KB). */
export const EARLIER_MAX = 10
const MAX_CHARACTERS = 3600
/** An entry is written again when it is older than this. */
const GRANULARITY = DAY

/**
 * The addresses that a browser had in the last 30 days, with the current one. The list is kept by the browser alone, in a
 * cookie that scripts can't read (docs/decisions/024-earlier-addresses.md).
 */
export interface EarlierAddresses {
  /** Returns the addresses, the last used first. */
  list(request: FastifyRequest): EarlierAddress[]
  /** Adds the address that the browser uses now. One that a subscription keeps is not added. */
  note(request: FastifyRequest, reply: FastifyReply, opened: OpenedAddress): void
  /** Removes the addresses for which `isForgotten` is true. */
  forget(request: FastifyRequest, reply: FastifyReply, isForgotten: (address: string) => boolean): void
}

const ENTRY = /^(?<secret>[\w-]{43})~(?<minutes>[0-9a-z]{1,8})~(?<address>[^~!]{3,320})$/

export const encodeEarlier = (entries: readonly EarlierAddress[]): string =>
  entries
    .map(({ secret, usedAt, address }) => `${secret}~${Math.floor(usedAt / MINUTE).toString(36)}~${address}`)
    .join('!')

/** Returns the entries that are well-formed and not too old. */
export const decodeEarlier = (value: string, now: number): EarlierAddress[] =>
  value.split('!').flatMap((entry) => {
    const { secret = '', minutes = '', address = '' } = ENTRY.exec(entry)?.groups ?? {}
    const usedAt = Number.parseInt(minutes, 36) * MINUTE
    return address !== '' && usedAt > now - KEPT_FOR ? [{ secret, usedAt, address }] : []
  })

export function createEarlierAddresses(options: Pick<HttpOptions, 'publicUrl'>, clock: Clock): EarlierAddresses {
  /** The list as the response changes it, for later calls for the same request. */
  const changed = new WeakMap<FastifyRequest, EarlierAddress[]>()

  function list(request: FastifyRequest): EarlierAddress[] {
    const cookie = request.cookies[cookieName('earlier', isSecureRequest(request, options))]
    return changed.get(request) ?? decodeEarlier(cookie ?? '', clock())
  }

  function write(request: FastifyRequest, reply: FastifyReply, entries: readonly EarlierAddress[]): void {
    const kept = entries.slice(0, EARLIER_MAX)
    while (encodeURIComponent(encodeEarlier(kept)).length > MAX_CHARACTERS) kept.pop()
    changed.set(request, kept)
    const secure = isSecureRequest(request, options)
    const attributes = cookieAttributes(secure)
    if (kept.length === 0) void reply.clearCookie(cookieName('earlier', secure), attributes)
    else
      void reply.setCookie(cookieName('earlier', secure), encodeEarlier(kept), {
        ...attributes,
        maxAge: KEPT_FOR / 1000,
      })
  }

  return {
    list,
    note(request, reply, { secret, open: { address, row } }) {
      if (row.subscriptionId !== null || row.lifetime === 'operator' || address === '') return
      const now = clock()
      const entries = list(request)
      const known = entries[0]
      if (known?.address === address && known.secret === secret && now - known.usedAt < GRANULARITY) return
      const others = entries.filter((entry) => entry.address !== address)
      write(request, reply, [{ address, secret, usedAt: now }, ...others])
    },
    forget(request, reply, isForgotten) {
      const entries = list(request)
      const kept = entries.filter(({ address }) => !isForgotten(address))
      if (kept.length < entries.length) write(request, reply, kept)
    },
  }
}

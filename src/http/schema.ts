import { STATUS_CODES } from 'node:http'
import { problem } from '#contract/problems.ts'
import { catalog, type ErrorCode } from '#core/errors.ts'
import { SECOND } from '#core/time.ts'
import type { RateLimit } from './limits/rates.ts'
import type { HttpOptions } from './options.ts'

/** Refers to a schema of `sharedSchemas`, so that openapi.json contains it once. */
export const ref = (schema: object): { $ref: string } => ({ $ref: `${(schema as { $id: string }).$id}#` })

/** A JSON response in the schema of a route. */
export const json = (schema: object, description: string): object => ({
  description,
  content: { 'application/json': { schema: '$id' in schema ? ref(schema) : schema } },
})

/** A response of another type in the schema of a route. */
export const answer = (type: string, description: string): object => ({
  description,
  content: { [type]: { schema: { type: 'string', format: 'binary' } } },
})

/** A response without a body. */
export const nothing = (description: string): object => ({ type: 'null', description })

const secondsText = (seconds: number): string => (seconds === 1 ? 'second' : `${seconds} seconds`)

/** Says how often an IP address, or another holder, may make a call. */
export const limitText = (what: string, { seconds, burst }: RateLimit, holder = 'IP address'): string =>
  `One ${what} per ${secondsText(seconds)} and ${holder}, ${burst} in a burst.`

/** Says how an event stream stays open. */
export const commentsText = ({ streamKeepAlive }: Pick<HttpOptions, 'streamKeepAlive'>): string =>
  `A comment every ${secondsText(streamKeepAlive / SECOND)} keeps the connection open.`

/** Errors that any call may return. */
const ALWAYS: ErrorCode[] = [
  'invalid_request',
  'key_invalid',
  'host_unknown',
  'too_many_requests',
  'internal',
  'unavailable',
  'store_unavailable',
  'disk_full',
]
export const BODY_PROBLEMS: ErrorCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type']

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds after which a retry makes sense', type: 'integer' },
}

/** The problems in the schema of a route, by status, with their codes. */
export function problems(...codes: ErrorCode[]): Record<number, object> {
  const byStatus = Map.groupBy(new Set([...codes, ...ALWAYS]), (code) => catalog[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [
      status,
      {
        description: `${STATUS_CODES[status]}: ${each.map((code) => `\`${code}\``).join(', ')}`,
        ...(status === catalog.too_many_requests.status ? { headers: RETRY_AFTER } : {}),
        content: { 'application/problem+json': { schema: ref(problem) } },
      },
    ]),
  )
}

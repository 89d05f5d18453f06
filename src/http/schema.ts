import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { problem } from '#contract/problems.ts'
import { catalogue, type ErrorCode, MayflyError } from '#core/errors.ts'

/** Refers to a schema of `sharedSchemas`, so that openapi.json says it once. */
export const ref = (schema: object): { $ref: string } => ({ $ref: `${(schema as { $id: string }).$id}#` })

/** An answer of JSON, for the schema of its route. */
export const json = (schema: object, description: string): object => ({
  description,
  content: { 'application/json': { schema: '$id' in schema ? ref(schema) : schema } },
})

/** An answer of another type than JSON, for the schema of its route. */
export const answer = (type: string, description: string): object => ({
  description,
  content: { [type]: { schema: { type: 'string', format: 'binary' } } },
})

/** An answer without a body. */
export const nothing = (description: string): object => ({ type: 'null', description })

/** What any call may be answered; those that take a body may find more wrong with it. */
const ALWAYS: ErrorCode[] = [
  'key_invalid',
  'too_many_requests',
  'internal',
  'unavailable',
  'store_unavailable',
  'disk_full',
]
export const BODY_PROBLEMS: ErrorCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type']

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds after which it is worth trying again', type: 'integer' },
}

/** The answers of a route that are problems, for its schema: a status each, with its codes. */
export function problems(...codes: ErrorCode[]): Record<number, object> {
  const byStatus = Map.groupBy(new Set([...codes, ...ALWAYS]), (code) => catalogue[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [
      status,
      {
        description: `${STATUS_CODES[status]}: ${each.map((code) => `\`${code}\``).join(', ')}`,
        ...(status === catalogue.too_many_requests.status ? { headers: RETRY_AFTER } : {}),
        content: { 'application/problem+json': { schema: ref(problem) } },
      },
    ]),
  )
}

/**
 * For `preValidation`: takes a JSON body as it is. The validator behind this converts, because numbers in a query or a path
 * are text, and would make `"12345"` of 12345 and false of null.
 */
export function exactBody(schema: TSchema): (request: FastifyRequest) => Promise<void> {
  const validator = Compile(schema)
  return async ({ body }) => {
    if (validator.Check(body)) return
    const [first] = validator.Errors(body)
    throw new MayflyError('invalid_request', first && `body${first.instancePath} ${first.message}`)
  }
}

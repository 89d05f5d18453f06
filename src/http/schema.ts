import { STATUS_CODES } from 'node:http'
import { problem } from '#contract/problems.ts'

/** Refers to a schema of `sharedSchemas`, so that openapi.json says it once. */
export const ref = (schema: object): { $ref: string } => ({ $ref: `${(schema as { $id: string }).$id}#` })

/** An answer of JSON, for the schema of its route. */
export const json = (schema: object, description: string): object => ({
  description,
  content: { 'application/json': { schema: ref(schema) } },
})

/** An answer of another type than JSON, for the schema of its route. */
export const answer = (type: string, description: string): object => ({
  description,
  content: { [type]: { schema: { type: 'string', format: 'binary' } } },
})

/** The answers of a route that are problems, for its schema. */
export function problems(...statuses: number[]): Record<number, object> {
  return Object.fromEntries(
    [...statuses, 429, 500].map((status) => [
      status,
      {
        description: STATUS_CODES[status],
        content: { 'application/problem+json': { schema: ref(problem) } },
      },
    ]),
  )
}

import { problem } from '#contract/problems.ts'

/** The answers of a route that are problems, for its schema. */
export function problems(...statuses: number[]): Record<number, object> {
  return Object.fromEntries(
    [...statuses, 429, 500].map((status) => [status, { content: { 'application/problem+json': { schema: problem } } }]),
  )
}

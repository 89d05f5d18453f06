import type { FastifyInstance } from 'fastify'

/** Go also takes the long s and the sign for Kelvin for the letters s and k. */
const folded = (name: string): string => name.toUpperCase().toLowerCase()

/**
 * Accepts the names of the schema in bodies in any case, as the JSON parser of Go does. If several names differ in
 * nothing but case, the last one counts.
 */
export function ignoreCaseOfNames(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const { body, routeOptions } = request
    const schema = routeOptions.schema?.body as { properties?: object } | undefined
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return
    const names = new Map(Object.keys(schema?.properties ?? {}).map((name) => [folded(name), name]))
    request.body = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [names.get(folded(name)) ?? name, value]),
    )
  })
}

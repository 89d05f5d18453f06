import type { FastifyInstance } from 'fastify'

/**
 * Accepts the names of the schema in bodies in any case, as the JSON parser of Go does. If several names differ in
 * nothing but case, the last one counts.
 */
export function ignoreCaseOfNames(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const { body, routeOptions } = request
    const schema = routeOptions.schema?.body as { properties?: object } | undefined
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return
    const names = new Map(Object.keys(schema?.properties ?? {}).map((name) => [name.toLowerCase(), name]))
    request.body = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
    )
  })
}

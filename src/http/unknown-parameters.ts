import type { FastifyInstance } from 'fastify'

interface QuerySchema {
  querystring?: object
}

/** Makes every route of the API refuse query parameters that it does not know (see `compilers.ts`). */
export function refuseUnknownParameters(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    // Calls that do not exist are reported as such.
    if (route.url.endsWith('*')) return
    const { querystring = { type: 'object', properties: {} } } = (route.schema ?? {}) as QuerySchema
    route.schema = { ...route.schema, querystring: { ...querystring, additionalProperties: false } }
  })
}

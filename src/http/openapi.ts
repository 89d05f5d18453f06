import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

/** The head of the OpenAPI document; paths come from the routes' schemas. */
export const openApi: FastifyDynamicSwaggerOptions = {
  refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version: '1',
      description:
        'Temporary e-mail addresses. Create one, keep its secret, and read what arrives: ' +
        '`Authorization: Bearer SECRET`. Problems are RFC 9457 with a stable `code`. Times are RFC 3339 in UTC. ' +
        'Limits count for each IP address and are told in `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds until it is ' +
        'whole again); 429 comes with `Retry-After`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    components: {
      securitySchemes: {
        secret: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret of the address, handed out at its creation',
        },
      },
    },
    tags: [
      { name: 'Addresses' },
      { name: 'Messages' },
      { name: 'Service', description: 'About the service itself; health and metrics have no limits' },
      { name: 'Forms of the site', description: 'For the pages of the site only' },
      { name: 'Session of the site', description: 'For the pages of the site only' },
    ],
  },
}

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
        '`Authorization: Bearer SECRET`. Problems are RFC 9457 with a stable `code`. Limits are told in `RateLimit-*` headers.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    components: {
      securitySchemes: { secret: { type: 'http', scheme: 'bearer', description: 'The secret of the address' } },
    },
    tags: [
      { name: 'Addresses' },
      { name: 'Messages' },
      { name: 'Session of the site', description: 'For the pages of the site only' },
    ],
  },
}

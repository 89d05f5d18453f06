import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Headers that let programs of every site read a response. */
export const READABLE_BY_ALL = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Content-Disposition, Date',
}

/** Programs on other sites may use the API with a secret of their own; cookies stay out of it. */
export function allowCors(
  app: FastifyInstance,
  prefixes: readonly string[],
  isApi: (request: FastifyRequest) => boolean,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isApi(request)) reply.headers(READABLE_BY_ALL)
  })
  for (const prefix of prefixes)
    app.options(`${prefix}/*`, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
          'access-control-allow-headers': 'Authorization, Content-Type, Last-Event-ID, X-Api-Key, X-Visit',
          'access-control-max-age': '86400',
        })
        .status(204)
        .send(),
    )
}

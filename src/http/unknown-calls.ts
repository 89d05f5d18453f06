import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'

type SendError = (reply: FastifyReply, error: MayflyError) => FastifyReply

/** Responds with 405 and `Allow` if the path exists with other methods, otherwise with 404. */
export function refuseUnknown(api: FastifyInstance, send: SendError): void {
  const routes: { path: RegExp; methods: string[] }[] = []
  api.addHook('onRoute', ({ url, method }) => {
    if (!url.endsWith('*'))
      routes.push({ path: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`), methods: [method].flat() })
  })
  const refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods)
    if (allowed.length === 0) return send(reply, new MayflyError('not_found'))
    reply.header('allow', [...new Set(allowed)].join(', '))
    return send(reply, new MayflyError('method_not_allowed'))
  }
  api.setNotFoundHandler(refuse)
  // Otherwise the pages, which accept every GET, would respond.
  api.get('/*', { schema: { hide: true } }, refuse)
}

import type { FastifyReply } from 'fastify'
import { type MailFrame, measureFrame, pdfFrame, privateFrame, type RemoteUrlQuery } from '#features/mailbox/index.ts'
import { whileHeld } from '../../auth/guard.ts'
import type { Routes } from '../../context.ts'

/** The path that serves remote images of messages. */
export const PROXY_PATH = '/proxy'

const IMAGE_CACHE = 'private, max-age=86400, immutable'

const sendFrame = (reply: FastifyReply, { html, csp }: MailFrame): FastifyReply =>
  reply
    .removeHeader('x-frame-options')
    .headers({ 'content-security-policy': csp, 'x-frame-options': 'SAMEORIGIN', 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(typeof html === 'string' ? html : Buffer.from(html.buffer, html.byteOffset, html.length))

/** The sandboxed document of a message, and its images. */
export const frameRoutes: Routes = (app, { auth, deps }) => {
  app.get<{ Querystring: { id?: string; view?: string; images?: string; image?: string } }>(
    '/frame/message',
    { schema: { hide: true } },
    async (request, reply) => {
      const opened = await auth.requireAddress(request)
      const { id = '', view, images, image } = request.query
      const frame = deps.frame(opened.open, id, {
        view: view === 'text' ? 'text' : 'html',
        remote: images === '1',
        ...(image === undefined ? {} : { image: Number(image) }),
      })
      return sendFrame(reply, await whileHeld([opened], deps.clock, frame))
    },
  )

  for (const [path, frame] of Object.entries({ private: privateFrame, measure: measureFrame, pdf: pdfFrame })) {
    app.get<{ Querystring: { images?: string } }>(
      `/frame/${path}`,
      { schema: { hide: true } },
      async (request, reply) => sendFrame(reply, frame({ remote: request.query.images === '1' })),
    )
  }

  app.get<{ Querystring: RemoteUrlQuery }>(PROXY_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { contentType, content } = await deps.remoteContent.fetch(request.query, request.ip)
    return reply
      .headers({
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': IMAGE_CACHE,
        // The frame has an opaque origin, so this image is cross-origin to it.
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type(contentType)
      .send(Buffer.from(content.buffer, content.byteOffset, content.length))
  })
}

import type { FastifyReply } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { AttachmentInfo } from '#core/mailbox/message.ts'
import { MAIL_CSP, type OpenAddress } from '#features/mailbox/index.ts'
import type { RouteContext, Routes } from '../../../context.ts'
import { sendDownload } from '../../../download.ts'
import { attachmentJson, headersJson, messageJson } from './json.ts'
import { messageReader, type OfMessage } from './read.ts'

/** Only the first attachments get checksums: each must be opened, and hashing takes time of the main thread. */
const CHECKSUMS = { attachments: 10, bytes: 5 * 1024 * 1024 }
const hide = true

const sendText = (reply: FastifyReply, text: string | Buffer): FastifyReply =>
  reply.header('content-security-policy', "default-src 'none'; sandbox").type('text/plain; charset=utf-8').send(text)

export const messageRoutes: Routes = (app, context: RouteContext) => {
  const { messages } = context.deps
  const read = messageReader(context)

  async function attachmentsJson(open: OpenAddress, id: string, infos: readonly AttachmentInfo[]): Promise<object[]> {
    let bytes = 0
    const shown: object[] = []
    for (const info of infos) {
      bytes += info.size
      const isOpened = info.index < CHECKSUMS.attachments && bytes <= CHECKSUMS.bytes
      const content = isOpened ? (await messages.attachment(open, id, info.index)).content : undefined
      shown.push(attachmentJson(info, content))
    }
    return shown
  }

  app.get<OfMessage>('/api/v1/message/:id', { schema: { hide } }, async (request, reply) =>
    read(reply, request.params.id, async (open, id) => {
      const { summary, content } = await messages.read(open, id)
      if (!summary.seen) await messages.mark(open, id, { seen: true })
      return messageJson(summary, content, await attachmentsJson(open, id, summary.attachments))
    }),
  )

  app.get<OfMessage>('/api/v1/message/:id/headers', { schema: { hide } }, async (request, reply) =>
    headersJson(await read(reply, request.params.id, (open, id) => messages.raw(open, id))),
  )

  app.get<OfMessage>('/api/v1/message/:id/raw', { schema: { hide } }, async (request, reply) => {
    const raw = await read(reply, request.params.id, (open, id) => messages.raw(open, id))
    return sendText(reply, Buffer.from(raw.buffer, raw.byteOffset, raw.length))
  })

  app.get<{ Params: { id: string; part: string }; Querystring: { query?: string } }>(
    '/api/v1/message/:id/part/:part',
    { schema: { hide } },
    async (request, reply) => {
      const { id: asked, part } = request.params
      if (!/^(?:0|[1-9]\d{0,3})$/.test(part)) throw new MayflyError('not_found')
      const { filename, contentType, content } = await read(reply, asked, (open, id) =>
        messages.attachment(open, id, Number(part)),
      )
      return sendDownload(reply, content, filename, contentType)
    },
  )

  // cypress-mailpit sends two slashes, which Mailpit accepts.
  for (const path of ['/view/:file', '//view/:file'])
    app.get<{ Params: { file: string }; Querystring: { query?: string } }>(
      path,
      { schema: { hide } },
      async (request, reply) => {
        const [, asked = '', type] = /^([a-z0-9]+)\.(html|txt)$/.exec(request.params.file) ?? []
        if (type === undefined) throw new MayflyError('not_found')
        const { content } = await read(reply, asked, (open, id) => messages.read(open, id))
        if (type === 'txt') return sendText(reply, content.text ?? '')
        if (content.html === null) throw new MayflyError('not_found', 'This message does not contain a HTML part')
        return reply
          .headers({ 'content-security-policy': MAIL_CSP, 'referrer-policy': 'no-referrer' })
          .type('text/html; charset=utf-8')
          .send(content.html)
      },
    )
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MayflyError } from '#core/errors.ts'
import type { RouteContext } from '../../context.ts'
import { toMayflyError } from '../../errors.ts'

/** Messages of an address that clients of other services see: the newest. Mailpit keeps as many. */
export const NEWEST_MAX = 500

/** Sends an error as the other service would. `cause` is the error as it was thrown. */
export type ShowCompatError = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: MayflyError,
  cause?: unknown,
) => FastifyReply

export function useErrors(app: FastifyInstance, { deps }: RouteContext, show: ShowCompatError): void {
  app.setErrorHandler(async (error, request, reply) => {
    const mapped = toMayflyError(error)
    if (mapped.code === 'internal') deps.logger.error({ err: mapped.cause ?? mapped }, 'request failed')
    return show(request, reply, mapped, error)
  })
}

/** Accepts JSON under these types, and no body instead of an empty one. */
export function parseAsJson(app: FastifyInstance, types: string | RegExp): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null)
    else void parse(request, body, done)
  })
}

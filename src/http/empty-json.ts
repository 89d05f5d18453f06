import type { FastifyInstance } from 'fastify'
import { MayflyError } from '#core/errors.ts'

/** Many clients send a JSON content type with every request, also without a body. */
export function acceptEmptyJson(api: FastifyInstance): void {
  const parse = api.getDefaultJsonParser('error', 'error')
  api.removeContentTypeParser('application/json')
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) =>
    body.trim() === ''
      ? done(null, undefined)
      : parse(request, body, (error, value) =>
          value === null
            ? done(new MayflyError('invalid_request', 'The body is null. Send an object'))
            : done(error, value),
        ),
  )
}

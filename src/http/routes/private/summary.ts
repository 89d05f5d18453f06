import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type privateAddressId, sealedMessageId } from '#contract/private-addresses.ts'
import type { PrivateAddress } from '#features/private/index.ts'
import type { RouteContext } from '../../context.ts'
import { BODY_PROBLEMS, nothing, problems } from '../../schema.ts'

const tags = ['Account of the site']
export const OCTETS = 'application/octet-stream'

export type OfAddress = { Params: Static<typeof privateAddressId> }
export type OfMessage = { Params: Static<typeof sealedMessageId> }

/** The only call that takes bytes. No other body of the API may be of any type. */
export function summaryRoute(
  app: FastifyInstance,
  { deps: { privateMessages }, options: { maxPrivateBytes } }: RouteContext,
  open: (request: FastifyRequest<OfAddress>) => Promise<PrivateAddress>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(OCTETS, { parseAs: 'buffer', bodyLimit: maxPrivateBytes }, (_request, body, done) =>
    done(null, body),
  )
  app.put<OfMessage & { Body: Buffer | undefined }>(
    '/account/private/:id/messages/:message/summary',
    {
      bodyLimit: maxPrivateBytes,
      schema: {
        tags,
        operationId: 'keepSealedSummary',
        summary: 'Store the sealed summary of a message',
        description: 'Stores the summary that the browser made of a message, sealed to its own key.',
        consumes: [OCTETS],
        params: sealedMessageId,
        response: {
          204: nothing('The summary is stored'),
          ...problems(
            'not_signed_in',
            'forbidden_origin',
            'not_found',
            'message_not_found',
            'summary_invalid',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      await privateMessages.keepSummary(await open(request), request.params.message, request.body ?? new Uint8Array())
      return reply.status(204).send()
    },
  )
}

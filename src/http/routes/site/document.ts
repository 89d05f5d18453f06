import { isPublicSite } from '#core/local-site.ts'
import type { Routes } from '../../context.ts'
import { problems } from '../../schema.ts'

export const documentRoutes: Routes = (api, { options }) => {
  api.get(
    '/openapi.json',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getOpenApi',
        summary: 'Get the OpenAPI document',
        description: 'Returns the description of this API. `/api/reference` shows it as a page.',
        response: {
          200: {
            description: 'This document (OpenAPI 3.1)',
            content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
          },
          ...problems(),
        },
      },
    },
    async ({ protocol, host }) => {
      const document = api.swagger()
      const { contact, ...info } = document.info
      return {
        ...document,
        info: { ...info, contact: { ...contact, url: `${options.publicUrl}/contact` } },
        // A container does not know the port that clients connect to.
        servers: [{ url: isPublicSite(options.publicUrl) ? options.publicUrl : `${protocol}://${host}` }],
      }
    },
  )
}

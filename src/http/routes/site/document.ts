import { isPublicSite } from '#core/local-site.ts'
import type { Routes } from '../../context.ts'
import { problems } from '../../schema.ts'

export const documentRoutes: Routes = (api, { options }) => {
  const isPublic = isPublicSite(options.publicUrl)
  const { protocol } = new URL(options.publicUrl)
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
    async ({ headers: { host } }) => {
      const document = api.swagger()
      const { contact, ...info } = document.info
      return {
        ...document,
        info: { ...info, contact: { ...contact, url: `${options.publicUrl}/contact` } },
        // A container does not know the port that clients connect to.
        servers: [{ url: isPublic || host === undefined ? options.publicUrl : `${protocol}//${host}` }],
      }
    },
  )
}

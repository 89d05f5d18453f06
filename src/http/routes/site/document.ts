import type { Routes } from '../../context.ts'

export const documentRoutes: Routes = (api) => {
  api.get(
    '/openapi.json',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getOpenApi',
        summary: 'This document',
        response: {
          200: {
            description: 'OpenAPI 3.1',
            content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
          },
        },
      },
    },
    async () => api.swagger(),
  )
}

import { domainList } from '#contract/domains.ts'
import type { Routes } from '../../context.ts'
import { json, problems } from '../../schema.ts'

export const domainRoutes: Routes = (app, { deps }) => {
  app.get(
    '/domains',
    {
      schema: {
        tags: ['Addresses'],
        operationId: 'listDomains',
        summary: 'The mail domains of this service',
        response: { 200: json(domainList, 'The domains'), ...problems() },
      },
    },
    async () => ({ domains: deps.domains.map(({ name, tier }) => ({ name, tier })) }),
  )
}

import { domainList } from '#contract/domains.ts'
import type { Routes } from '../context.ts'
import { problems } from '../schema.ts'

export const domainRoutes: Routes = (app, { deps }) => {
  app.get(
    '/domains',
    {
      schema: {
        tags: ['Addresses'],
        summary: 'The mail domains of this service',
        response: { 200: domainList, ...problems() },
      },
    },
    async () => ({ domains: deps.domains.map(({ name, tier }) => ({ name, tier })) }),
  )
}

import { domainList } from '#contract/domains.ts'
import type { Routes } from '../../context.ts'
import { domainsOf } from '../../domains.ts'
import { json, problems } from '../../schema.ts'

export const domainRoutes: Routes = (app, { deps }) => {
  app.get(
    '/domains',
    {
      schema: {
        tags: ['Addresses'],
        operationId: 'listDomains',
        summary: 'List the mail domains',
        description: 'Returns the domains for new addresses. Premium domains require an API key.',
        response: { 200: json(domainList, 'The domains'), ...problems() },
      },
    },
    async () => ({ domains: domainsOf(deps) }),
  )
}

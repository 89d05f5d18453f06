import { type LoginJson, login, newAccount, type NewAccountJson } from '#contract/compat/mail-tm.ts'
import { MayflyError } from '#core/errors.ts'
import type { RouteContext, Routes } from '../../../context.ts'
import { timestamp } from '../../../json/time.ts'
import { giveBack, takeOrThrow } from '../../../limits/limits.ts'
import { accountResource, domainResource } from './json.ts'
import { sendCollection, sendJson, sendResource } from './resource.ts'
import { accountOpener } from './session.ts'

const DOMAINS_PER_PAGE = 30
const hide = true

export const accountRoutes: Routes = (app, context: RouteContext) => {
  const { deps, rates } = context
  const { accounts, tokens } = deps.compat
  const open = accountOpener(context)
  const since = timestamp(deps.clock())
  const domains = deps.domains.filter(({ tier }) => tier === 'free').map(({ name }) => domainResource(name, since))

  app.get<{ Querystring: { page?: string } }>('/domains', { schema: { hide } }, async (request, reply) =>
    sendCollection(request, reply, {
      type: 'Domain',
      path: '/domains',
      members: (request.query.page ?? '1') === '1' ? domains : [],
      total: domains.length,
      page: 1,
      perPage: Math.max(DOMAINS_PER_PAGE, domains.length),
    }),
  )

  app.get<{ Params: { id: string } }>('/domains/:id', { schema: { hide } }, async (request, reply) => {
    const domain = domains.find(({ path }) => path === `/domains/${request.params.id}`)
    if (!domain) throw new MayflyError('not_found')
    return sendResource(request, reply, domain)
  })

  app.post<{ Body: NewAccountJson }>('/accounts', { schema: { hide, body: newAccount } }, async (request, reply) => {
    takeOrThrow(rates.creations, request, reply)
    const created = await accounts.create(request.body)
    const view = await deps.addresses.view(created.open)
    return sendResource(request, reply.status(201), accountResource(created.open, view))
  })

  app.post<{ Body: LoginJson }>('/token', { schema: { hide, body: login } }, async (request, reply) => {
    takeOrThrow(rates.logins, request, reply)
    // A guesser may have many IP addresses. Counted before the comparison, so that concurrent requests make no more
    // guesses than allowed.
    const name = accounts.nameOf(request.body.address)
    takeOrThrow(rates.failedLogins, request, reply, name)
    const returnToken = () => giveBack(rates.failedLogins, request, name)
    const opened = await accounts.open(request.body).catch((error: unknown) => {
      returnToken()
      throw error
    })
    if (!opened) throw new MayflyError('unauthorized', 'Invalid credentials.')
    returnToken()
    const { address, row } = opened.open
    const body = { token: tokens.create(opened.secret, { id: row.id, address }), id: row.id }
    return sendJson(request, reply, { '@id': `/accounts/${row.id}`, ...body }, body)
  })

  app.get('/me', { schema: { hide } }, async (request, reply) => {
    const { open: address } = await open(request)
    return sendResource(request, reply, accountResource(address, await deps.addresses.view(address)))
  })

  app.get<{ Params: { id: string } }>('/accounts/:id', { schema: { hide } }, async (request, reply) => {
    const { open: address } = await open(request)
    if (request.params.id !== address.row.id) throw new MayflyError('not_found')
    return sendResource(request, reply, accountResource(address, await deps.addresses.view(address)))
  })

  app.delete<{ Params: { id: string } }>('/accounts/:id', { schema: { hide } }, async (request, reply) => {
    const { open: address } = await open(request)
    if (request.params.id !== address.row.id) throw new MayflyError('not_found')
    await deps.addresses.remove(address)
    return reply.status(204).send()
  })
}

import type { FastifyInstance } from 'fastify'
import type { RouteContext } from '../../context.ts'
import type { HttpOptions } from '../../options.ts'
import { mailTmRoutes } from './mail-tm/mail-tm.ts'
import { mailpitRoutes } from './mailpit/mailpit.ts'

type Service = HttpOptions['compat'][number]

const ROUTES = { 'mail.tm': mailTmRoutes, mailpit: mailpitRoutes }

export const compatPrefix = (service: Service): string => `/compat/${service}`

/** The APIs of other services that the operator switched on. */
export async function registerCompat(app: FastifyInstance, context: RouteContext): Promise<void> {
  for (const service of context.options.compat)
    await app.register(async (api) => ROUTES[service](api, context), { prefix: compatPrefix(service) })
}

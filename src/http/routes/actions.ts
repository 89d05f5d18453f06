import formbody from '@fastify/formbody'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type { RouteContext, Routes } from '../context.ts'
import { toMayflyError } from '../errors.ts'
import { takeOrThrow } from '../limits.ts'
import { isCrawler } from '../page-request.ts'
import { createFor } from './addresses.ts'

type Fields = Record<string, string | undefined>

/** A field that comes twice, or a body that is no form, is none. */
const fieldsOf = (body: unknown): Fields =>
  Object.fromEntries(Object.entries(Object(body) as object).filter(([, value]) => typeof value === 'string'))

type Action = (context: RouteContext, request: FastifyRequest, reply: FastifyReply, fields: Fields) => Promise<void>

const filled = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined)

const create: Action = async (context, request, reply, fields) => {
  takeOrThrow(context.creations, request, reply)
  const login = fields.random === undefined ? filled(fields.login) : undefined
  const domain = filled(fields.domain)
  const wanted = {
    ...(login === undefined ? {} : { login }),
    ...(domain === undefined ? {} : { domain }),
    ...(fields.lifetime === 'ten-minutes' ? { lifetime: 'ten-minutes' as const } : {}),
    replace: true,
  }
  const { secret } = await createFor(context, request, wanted)
  context.auth.setCookie(reply, secret)
}

const ACTIONS: Record<string, Action> = {
  create,
  change: create,
  async delete({ auth, deps }, request, reply) {
    await deps.addresses.end((await auth.session(request)).open)
    auth.clearCookie(reply)
  },
  async extend({ auth, deps }, request) {
    await deps.addresses.extend((await auth.session(request)).open)
  },
  async 'delete-message'({ auth, deps }, request, _reply, { id = '' }) {
    await deps.messages.remove((await auth.session(request)).open, id)
  },
}

/** What the page's forms do without JavaScript: act, then lead back to a page (303), with the reason where it was refused. */
export const actionRoutes: Routes = (app, context) => {
  const { auth, deps } = context
  void app.register(formbody)

  for (const [name, action] of Object.entries(ACTIONS)) {
    app.post(`/actions/${name}`, { schema: { hide: true } }, async (request, reply) => {
      const fields = fieldsOf(request.body)
      const [standard = 'zh', ...prefixed] = deps.languages
      const prefix = fields.lang && fields.lang !== standard && prefixed.includes(fields.lang) ? `/${fields.lang}` : ''
      const home = prefix || '/'
      try {
        auth.requireOwnOrigin(request)
        if (isCrawler(request)) throw new MayflyError('forbidden_origin')
        await action(context, request, reply, fields)
        return await reply.redirect(home, 303)
      } catch (error) {
        const { code } = toMayflyError(error)
        if (code === 'internal') throw error
        const retry = reply.getHeader('retry-after')
        const back = name === 'change' ? `${prefix}/change` : home
        return reply.redirect(`${back}?error=${code}${retry === undefined ? '' : `&retry=${String(retry)}`}`, 303)
      }
    })
  }
}

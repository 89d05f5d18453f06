import formbody from '@fastify/formbody'
import { MayflyError } from '#core/errors.ts'
import { pathIn } from '#locales/languages.ts'
import { preferredLanguage } from '#web/i18n/preferred-language.ts'
import type { Routes } from '../context.ts'
import { toMayflyError } from '../errors.ts'
import { acceptedLanguages } from '../pages/language-offer.ts'
import { isCrawler, knownLanguage } from '../pages/page-request.ts'
import { ACCOUNT_ACTIONS } from './account/account-actions.ts'
import { ORDER_ACTIONS } from './billing/order-actions.ts'
import { type Action, fieldsOf } from './form-action.ts'
import { FORWARDING_ACTIONS } from './forwarding/forwarding-actions.ts'
import { ADDRESS_ACTIONS } from './mailbox/address-actions.ts'
import { SUPPORT_ACTIONS } from './operating/support-actions.ts'
import { showAgain } from './show-again.ts'

const ACTIONS: Record<string, Action> = {
  ...ADDRESS_ACTIONS,
  ...FORWARDING_ACTIONS,
  ...ORDER_ACTIONS,
  ...ACCOUNT_ACTIONS,
  ...SUPPORT_ACTIONS,
}

/** Pages that a form may name as its own. Anything else would be an open redirect. */
const TOOLS: ReadonlySet<string | undefined> = new Set(['/', '/10-minute-mail', '/email-generator', '/change'])

/**
 * Forms of the pages without JavaScript: perform the action, then redirect to a page (303), with the reason after a
 * refusal.
 */
export const actionRoutes: Routes = (app, context) => {
  const { auth, deps, options } = context
  void app.register(formbody, { bodyLimit: Math.max(options.maxBodyBytes, options.maxSupportBytes) })

  for (const [name, { act, done = '/', refused = '/', keeps = false }] of Object.entries(ACTIONS)) {
    // The page of a refused form has this URL (`showAgain`). Reloaded or opened again, it leads to the form.
    app.get(`/actions/${name}`, { schema: { hide: true } }, async ({ headers }, reply) => {
      const accepted = acceptedLanguages(headers['accept-language'] ?? '')
      const lang = knownLanguage(preferredLanguage(headers.cookie ?? '', accepted), deps.languages)
      return reply.redirect(pathIn(lang, refused), 303)
    })

    const bodyLimit = keeps ? options.maxSupportBytes : options.maxBodyBytes
    app.post(`/actions/${name}`, { bodyLimit, schema: { hide: true } }, async (request, reply) => {
      const fields = fieldsOf(request.body)
      auth.setShown(request, fields.shown)
      const own = TOOLS.has(fields.path) ? fields.path : undefined
      const lang = knownLanguage(fields.lang, deps.languages)
      try {
        auth.requireOwnOrigin(request)
        if (isCrawler(request)) throw new MayflyError('forbidden_origin')
        const elsewhere = await act(context, request, reply, { ...fields, lang, path: own })
        return await reply.redirect(elsewhere ?? pathIn(lang, own ?? done), 303)
      } catch (error) {
        const { code } = toMayflyError(error)
        if (code === 'internal') throw error
        const retry = reply.getHeader('retry-after')
        const query = { error: code, ...(retry === undefined ? {} : { retry: String(retry) }) }
        const page = own ?? refused
        if (keeps && code !== 'forbidden_origin')
          return showAgain(context, request, reply, { lang, path: page, query }, fields)
        return reply.redirect(pathIn(lang, `${page}?${new URLSearchParams(query).toString()}`), 303)
      }
    })
  }
}

import type { FastifyRequest } from 'fastify'
import type { ForwardedData } from '#contract/pages.ts'
import { MayflyError } from '#core/errors.ts'
import { CONSENT_ACTS, type ConsentAct } from '#core/forwarding/forwarding.ts'
import { pathIn } from '#locales/languages.ts'
import type { Routes } from '../../context.ts'
import { linkOf } from '../../pages/forwarding-data.ts'
import { pageRequest, splitPath, urlOf } from '../../pages/page-request.ts'
import { fieldsOf } from '../form-action.ts'

const PATH = '/forwarded'

/** The message that the page shows afterwards. */
const DONE: Record<ConsentAct, NonNullable<ForwardedData['done']>> = {
  confirm: 'confirmed',
  decline: 'declined',
  never: 'never',
  stop: 'stopped',
}

/** Fields that mail programs send (RFC 8058 3.2), in either form encoding. */
async function multipart(request: FastifyRequest, body: string | Buffer): Promise<unknown> {
  try {
    const type = request.headers['content-type'] ?? ''
    return Object.fromEntries(await new Response(Buffer.from(body), { headers: { 'content-type': type } }).formData())
  } catch (error) {
    throw new MayflyError('invalid_request', 'The form cannot be read', { cause: error })
  }
}

/**
 * Decisions of a destination behind a link in an email: the `action` of the page's own forms, or a one-click
 * unsubscription (RFC 8058). The token is the credential, in the form or, from mail programs, in the URL. The request
 * may come from anywhere.
 */
export const forwardedRoutes: Routes = (site, { deps, tokens }) => {
  // In a separate scope: no other route accepts such forms.
  void site.register(async (app) => {
    app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, multipart)

    for (const path of [PATH, `/:lang${PATH}`]) {
      app.post(path, { schema: { hide: true } }, async (request, reply) => {
        const url = urlOf(request)
        const { lang, path: page } = splitPath(url.pathname, deps.languages)
        if (page !== PATH) throw new MayflyError('not_found')
        const fields = fieldsOf(request.body)
        const link = linkOf(pageRequest(url, url.pathname, deps.languages).query) ?? linkOf(fields)
        const oneClick = link?.kind === 'stop' && fields['List-Unsubscribe'] === 'One-Click'
        const act = oneClick ? 'stop' : CONSENT_ACTS.find((each) => each === fields.action)
        if (!link || !act) throw new MayflyError('invalid_request')
        const token = await deps.forwardingConsent.act(link, act)
        if (oneClick) {
          if (token === undefined) throw new MayflyError('not_found')
          // No redirect, because nobody looks at the response.
          return reply.type('text/plain; charset=utf-8').send('Unsubscribed\n')
        }
        if (token === undefined) tokens.keep(reply, PATH, link.kind, link.token)
        else tokens.keep(reply, PATH, 'stop', token)
        return reply.redirect(pathIn(lang, token === undefined ? PATH : `${PATH}?done=${DONE[act]}`), 303)
      })
    }
  })
}

import type { FastifyRequest } from 'fastify'
import type { ForwardedData } from '#contract/pages.ts'
import { MayflyError } from '#core/errors.ts'
import { CONSENT_ACTS, type ConsentAct } from '#features/forwarding/index.ts'
import { pathIn } from '#locales/languages.ts'
import type { Routes } from '../../context.ts'
import { linkOf } from '../../pages/forwarding-data.ts'
import { pageRequest, splitPath, urlOf } from '../../pages/page-request.ts'
import { fieldsOf } from '../mailbox/actions.ts'

const PATH = '/forwarded'

/** What the page says after it. */
const DONE: Record<ConsentAct, NonNullable<ForwardedData['done']>> = {
  confirm: 'confirmed',
  decline: 'declined',
  never: 'never',
  stop: 'stopped',
}

/** What RFC 8058 (3.2) has programs for mail send: as a form of either kind. */
async function multipart(request: FastifyRequest, body: string | Buffer): Promise<unknown> {
  try {
    const type = request.headers['content-type'] ?? ''
    return Object.fromEntries(await new Response(Buffer.from(body), { headers: { 'content-type': type } }).formData())
  } catch (error) {
    throw new MayflyError('invalid_request', 'The form cannot be read', { cause: error })
  }
}

/**
 * What a destination says behind a link of a mail: `action` of the page's own forms, or an unsubscription with one click
 * (RFC 8058). The token is the credential, in the form or, of mail programs, in the URL: whoever has the mail may come from
 * anywhere.
 */
export const forwardedRoutes: Routes = (site, { deps, tokens }) => {
  // In a scope of its own: no other route takes such forms.
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
          // It must not lead elsewhere, for nobody looks at it.
          return reply.type('text/plain; charset=utf-8').send('Unsubscribed\n')
        }
        if (token === undefined) tokens.keep(reply, PATH, link.kind, link.token)
        else tokens.keep(reply, PATH, 'stop', token)
        return reply.redirect(pathIn(lang, token === undefined ? PATH : `${PATH}?done=${DONE[act]}`), 303)
      })
    }
  })
}

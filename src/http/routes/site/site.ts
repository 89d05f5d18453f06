import { escapeHtml } from '#core/text.ts'
import { DAY } from '#core/time.ts'
import { languages, pathIn } from '#locales/languages.ts'
import type { Routes } from '../../context.ts'
import { llmsText } from '../../pages/llms-text.ts'
import { sitePaths, slugAt } from '../../pages/page-data.ts'

/** In seconds. Caches may keep what only changes with a deploy. */
const HOUR = 'public, max-age=3600'
/** How long `security.txt` is valid from its request. RFC 9116 2.5.5 recommends less than a year. */
const SECURITY_DAYS = 180
/**
 * An advertisement runs in a sandbox: with its own scripts but without an origin, so it has neither cookies nor access
 * to the page.
 */
const AD_SANDBOX = 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox'

/** Files beside the pages: for search engines, and the frames of advertisements. */
export const siteRoutes: Routes = (app, { options, deps }) => {
  app.get('/robots.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('cache-control', HOUR)
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\nDisallow: /actions/\nDisallow: /api/v1/\nDisallow: /frame/\nAllow: /\n\nSitemap: ${options.publicUrl}/sitemap.xml\n`,
      ),
  )

  app.get('/.well-known/security.txt', { schema: { hide: true } }, async (_request, reply) => {
    const site = options.publicUrl
    const contacts = [
      ...(options.operator.email === null ? [] : [`mailto:${options.operator.email}`]),
      `${site}/en/contact`,
    ]
    // Rounded to midnight, so that all nodes send the same on one day.
    const expires = new Date((Math.floor(deps.clock() / DAY) + SECURITY_DAYS) * DAY).toISOString()
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires}`,
      'Preferred-Languages: en, zh',
      `Canonical: ${site}/.well-known/security.txt`,
    ]
    return reply
      .header('cache-control', HOUR)
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })

  app.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) => {
    const entry = (path: string, updated: string | undefined): string =>
      `<url><loc>${options.publicUrl}${escapeHtml(path)}</loc>${updated ? `<lastmod>${updated}</lastmod>` : ''}</url>`
    const pages = languages.flatMap(({ code }) => [
      ...sitePaths(code).map((path) => entry(pathIn(code, path), deps.library.updated(slugAt(path)))),
      ...deps.library
        .articles(code)
        .map(({ slug, updated }) => entry(pathIn(code, `/articleDetail?slug=${slug}`), updated)),
    ])
    return reply
      .header('cache-control', HOUR)
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages.join('\n')}\n</urlset>\n`,
      )
  })

  app.get('/llms.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('cache-control', HOUR)
      .type('text/plain; charset=utf-8')
      .send(llmsText(deps.library, options.publicUrl)),
  )

  for (const place of ['top', 'bottom'] as const) {
    const ad = options.ads[place]
    if (!ad) continue
    app.get(`/ads/${place}`, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .headers({
          'content-security-policy': `${AD_SANDBOX}; frame-ancestors 'self'`,
          'x-frame-options': 'SAMEORIGIN',
          'referrer-policy': 'no-referrer',
          'cache-control': HOUR,
        })
        .type('text/html; charset=utf-8')
        .send(ad.html),
    )
  }
}

import { escapeHtml } from '#core/text.ts'
import { languages, pathIn } from '#locales/languages.ts'
import type { Routes } from '../../context.ts'
import { sitePaths } from '../../pages/page-data.ts'

/** In seconds. Caches may keep what only changes with a deploy. */
const HOUR = 'public, max-age=3600'
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

  app.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) => {
    const pages = languages.flatMap(({ code }) => [
      ...sitePaths(code).map((path) => `<url><loc>${options.publicUrl}${pathIn(code, path)}</loc></url>`),
      ...deps.library.articles(code).map(({ slug, date }) => {
        const path = pathIn(code, `/articleDetail?slug=${slug}`)
        return `<url><loc>${options.publicUrl}${escapeHtml(path)}</loc><lastmod>${date}</lastmod></url>`
      }),
    ])
    return reply
      .header('cache-control', HOUR)
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages.join('\n')}\n</urlset>\n`,
      )
  })

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

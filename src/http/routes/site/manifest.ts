import { languages, pathIn } from '#locales/languages.ts'
import type { Routes } from '../../context.ts'

/** In seconds. Caches may keep what only changes with a deploy. */
const HOUR = 'public, max-age=3600'

const PNG = 'image/png'
const ICON = { src: '/icon-192.png', sizes: '192x192', type: PNG }

/** The manifest of the installed site. Its colors are those of styles/base.css. */
const MANIFEST = {
  name: 'Mayfly',
  short_name: 'Mayfly',
  display: 'standalone',
  background_color: '#f6f8f7',
  theme_color: '#f6f8f7',
  categories: ['utilities', 'productivity'],
  icons: [
    ICON,
    { src: '/icon-512.png', sizes: '512x512', type: PNG },
    { src: '/icon-maskable-192.png', sizes: '192x192', type: PNG, purpose: 'maskable' },
    { src: '/icon-maskable.png', sizes: '512x512', type: PNG, purpose: 'maskable' },
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
}

/** Pictures of the app, which browsers show before it is installed. test/brand/screenshots.ts makes them. */
const SCREENSHOTS = [
  { src: '/screenshot-wide.png', sizes: '1280x800', type: PNG, form_factor: 'wide' },
  { src: '/screenshot-narrow.png', sizes: '720x1440', type: PNG, form_factor: 'narrow' },
]

/** One manifest for each language. */
export const manifestRoutes: Routes = (app, { deps }) => {
  for (const { code, tag, dir } of languages) {
    app.get(pathIn(code, '/manifest.webmanifest'), { schema: { hide: true } }, async (_request, reply) => {
      const { copy, change, picture } = deps.manifestTexts(code)
      return reply
        .header('cache-control', HOUR)
        .type('application/manifest+json; charset=utf-8')
        .send({
          ...MANIFEST,
          id: '/',
          lang: tag,
          dir,
          description: deps.library.page('home', code).description,
          start_url: pathIn(code, '/'),
          scope: '/',
          shortcuts: [
            { name: copy, url: `${pathIn(code, '/')}?copy`, icons: [ICON] },
            { name: change, url: pathIn(code, '/change'), icons: [ICON] },
          ],
          // A text that is shared with the app becomes the name of the new address.
          share_target: { action: pathIn(code, '/change'), method: 'GET', params: { text: 'name', url: 'link' } },
          screenshots: SCREENSHOTS.map((each) => ({ ...each, label: picture })),
        })
    })
  }
}

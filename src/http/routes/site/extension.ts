import { MayflyError } from '#core/errors.ts'
import type { Routes } from '../../context.ts'
import { sendDownload } from '../../download.ts'

/** The packages of the browser extension. */
export const extensionRoutes: Routes = (app, { deps }) => {
  app.get<{ Params: { browser: string } }>(
    '/apps/mayfly-:browser.zip',
    { schema: { hide: true } },
    async ({ params: { browser } }, reply) => {
      const content = await deps.extension.packageFor(browser)
      if (content === undefined) throw new MayflyError('not_found')
      return sendDownload(
        reply.header('cache-control', 'no-cache'),
        content,
        `mayfly-${browser}.zip`,
        'application/zip',
      )
    },
  )
}

import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { loadConfig } from '#config/load.ts'
import type { RenderPage } from '#contract/pages.ts'
import { compose } from './composition/app.ts'
import { startServers, type WebBuild } from './composition/servers.ts'

/*
 * `npm run dev`: the whole service from its sources. Pages, styles and texts change in the open browser as they are saved;
 * `node --watch` starts the service anew when a file of the server changes.
 */
// Else each worker thread would tell its parent what it imports, among its answers.
delete process.env.WATCH_REPORT_DEPENDENCIES

const vite = await createServer({
  root: fileURLToPath(new URL('..', import.meta.url)),
  appType: 'custom',
  server: { middlewareMode: true },
})

const load = (): Promise<Pick<WebBuild, 'render' | 'translations'>> =>
  vite.ssrLoadModule('/src/web/entry.server.tsx') as ReturnType<typeof load>

const render: RenderPage = async (payload, options) => {
  const entry = await load()
  const { status, html } = await entry.render(payload, options)
  return { status, html: await vite.transformIndexHtml('/', html) }
}

const config = loadConfig()
const services = await compose(config)
const running = await startServers(config, services, {
  render,
  translations: async (language) => (await load()).translations(language),
  clientDirectory: undefined,
  middleware: vite.middlewares,
})
process.stdout.write(
  `Mayfly is running from its sources.\n  Page  ${running.url}/\n  SMTP  ${config.server.host}:${running.smtpPort}\n`,
)

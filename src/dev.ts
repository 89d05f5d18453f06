import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { loadConfig } from '#config/load.ts'
import type { RenderPage } from '#contract/render.ts'
import { compose } from './composition/app.ts'
import type { WebBuild } from './composition/build.ts'
import { startServers } from './composition/servers.ts'
import { seedDemo } from './demo/seed.ts'

/*
 * `npm run dev`: the whole service from its sources. Pages, styles and texts change in the open browser when they are saved;
 * `watch.ts` restarts the service when a file of the server changes. With `--demo` it starts with mail, two addresses and a
 * subscriber, in a new directory that is deleted at the end. The page /demo signs the browser in as that subscriber.
 */
// Otherwise each worker thread reports its imports to its parent, between its results.
delete process.env.WATCH_REPORT_DEPENDENCIES
const isDemo = process.argv.includes('--demo')

/** Passes the connections on to Vite through which it tells browsers of changes. They use the port of the page. */
const upgrades = createHttpServer()

const vite = await createServer({
  root: fileURLToPath(new URL('..', import.meta.url)),
  appType: 'custom',
  server: { middlewareMode: true, ws: { server: upgrades } },
})

const load = (): Promise<Pick<WebBuild, 'render' | 'translations' | 'offerTexts' | 'manifestTexts'>> =>
  vite.ssrLoadModule('/src/web/entry.server.tsx') as ReturnType<typeof load>

const render: RenderPage = async (payload, options) => {
  const entry = await load()
  const { status, html } = await entry.render(payload, options)
  return { status, html: await vite.transformIndexHtml('/', html) }
}

let demoCookies: string[] = []
function middleware(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (!isDemo || request.url !== '/demo') return vite.middlewares(request, response, next)
  response.writeHead(302, { location: '/en', 'set-cookie': demoCookies }).end()
}

function prepare(server: Server): void {
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    middleware(request, response, () => handlers.forEach((handle) => handle(request, response))),
  )
  server.on('upgrade', (...upgrade) => upgrades.emit('upgrade', ...upgrade))
}

/** The settings that the demo takes over. The others belong to a service with real data, or name its site. */
const DEMO_SETTINGS = ['HOST', 'HTTP_PORT', 'SMTP_PORT', 'METRICS_HOST', 'METRICS_PORT', 'LOG_LEVEL']

function demoEnvironment(): NodeJS.ProcessEnv {
  const directory = mkdtempSync(join(tmpdir(), 'mayfly-demo-'))
  // Its threads may still write, so removing is tried again.
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit())
  const kept = DEMO_SETTINGS.map((name) => [`MAYFLY_${name}`, process.env[`MAYFLY_${name}`]])
  return { ...Object.fromEntries(kept), MAYFLY_DATA_DIR: directory }
}

const config = loadConfig(isDemo ? demoEnvironment() : process.env)
const services = await compose(config)
const running = await startServers(config, services, {
  buildId: 'dev',
  render,
  translations: async (language) => (await load()).translations(language),
  offerTexts: (await load()).offerTexts,
  manifestTexts: (await load()).manifestTexts,
  clientDirectory: undefined,
  // What the last build made.
  extensionDirectory: join(import.meta.dirname, '../dist/extension'),
  prepare,
})
if (isDemo) {
  const { url, smtpPort } = running
  demoCookies = await seedDemo({ url, smtpPort, dataDirectory: config.storage.directory, grants: services.grants })
}
process.stdout.write(
  `Mayfly is running from its sources.\n  Page  ${running.url}${isDemo ? '/demo' : '/'}\n  SMTP  ${config.server.host}:${running.smtpPort}\n`,
)

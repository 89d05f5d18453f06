import { loadConfig } from '#config/load.ts'
import { ownSite } from '#config/site.ts'
import { createApp } from '#http/app.ts'
import type { HttpDeps } from '#http/options.ts'
import { figuresOf } from './figures.ts'
import { httpOptions } from './server-options.ts'

/** All routes without a running service. No handler is called, so none needs its dependencies. */
export async function documentedApp(env: Record<string, string> = {}): ReturnType<typeof createApp> {
  const config = loadConfig(env)
  const site = { url: `${ownSite(config)}:${config.server.httpPort}` }
  const pages = { clientDirectory: undefined, styleSource: undefined, scriptSource: undefined }
  const options = httpOptions(config, { site, sold: { plans: [], sandbox: false } }, pages, 1)
  const app = await createApp(options, {
    languages: [],
    figures: figuresOf(config, () => site.url),
  } as unknown as HttpDeps)
  await app.ready()
  return app
}

/** Returns the OpenAPI document of the routes, with the figures of the given settings. */
export async function openApiDocument(env?: Record<string, string>): Promise<object> {
  const app = await documentedApp(env)
  const document = app.swagger()
  await app.close()
  return document
}

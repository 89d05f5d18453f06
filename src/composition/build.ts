import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { RenderPage } from '#contract/render.ts'
import type { EmailTranslations } from '#core/email/email.ts'
import type { HttpDeps } from '#http/options.ts'

export interface WebBuild {
  /** Changes with each build. */
  buildId: string
  render: RenderPage
  /** Allows the inline styles of pages in a content security policy. Undefined while Vite serves them. */
  styleSource?: string | undefined
  /** The same for their inline script. */
  scriptSource?: string | undefined
  offerTexts: HttpDeps['offerTexts']
  manifestTexts: HttpDeps['manifestTexts']
  /** What emails are written with. */
  translations: EmailTranslations
  /** Undefined while Vite serves the client files. */
  clientDirectory: string | undefined
  /** Directory of the built browser extension. */
  extensionDirectory?: string
  /** Puts Vite before the server, during development. */
  prepare?: (server: Server) => void
}

/** The result of `npm run build`. Throws a one-line error if it is missing. */
export async function loadBuild(): Promise<WebBuild> {
  const entry = new URL('../../dist/server/entry.server.js', import.meta.url)
  if (!existsSync(entry)) throw new Error('The pages are not built yet: run npm run build')
  const { buildId, render, styleSource, scriptSource, offerTexts, manifestTexts, translations } = (await import(
    entry.href
  )) as Omit<WebBuild, 'clientDirectory' | 'extensionDirectory'>
  return {
    buildId,
    render,
    styleSource,
    scriptSource,
    offerTexts,
    manifestTexts,
    translations,
    clientDirectory: fileURLToPath(new URL('../../dist/client', import.meta.url)),
    extensionDirectory: fileURLToPath(new URL('../../dist/extension', import.meta.url)),
  }
}

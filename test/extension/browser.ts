import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { FLAGS, onPath } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'

const root = join(import.meta.dirname, '../..')
/** The packages that `npm run build` made. */
export const PACKAGES = join(root, 'dist/extension')

/** A Chromium with extensions, which the packaged one lacks. Undefined if none is installed. */
export const extensionBrowser = (): string | undefined => onPath('chromium', 'chromium-browser')

/** Unpacks the package for a browser, set to a service. */
export async function unpackExtension(browser: 'chromium' | 'firefox', service: string, target: string): Promise<void> {
  const files = unzipSync(await readFile(join(PACKAGES, `mayfly-${browser}.zip`)))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(target, dirname(name)), { recursive: true })
    await writeFile(join(target, name), content)
  }
  await writeFile(join(target, 'service.json'), JSON.stringify({ url: service }))
}

export interface ExtensionBrowser {
  context: BrowserContext
  id: string
  /** Opens a page of the extension in a tab. */
  open(path: string): Promise<Page>
  /** Runs code in the background. */
  background<Result, Argument>(
    call: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>
  close(): Promise<void>
}

interface Options {
  executablePath: string
  service: string
  /** Permissions that the visitor gives, which no test can click in the browser's own dialog. */
  allSites?: boolean
}

/** Starts a browser with the extension. A gesture on its button can't be played, so its effect, access, is given. */
export async function openExtension({ executablePath, service, allSites = true }: Options): Promise<ExtensionBrowser> {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-extension-'))
  const unpacked = join(directory, 'extension')
  await unpackExtension('chromium', service, unpacked)
  if (allSites) {
    const path = join(unpacked, 'manifest.json')
    const { default: manifest } = (await import(path, { with: { type: 'json' } })) as { default: object }
    await writeFile(path, JSON.stringify({ ...manifest, host_permissions: ['*://*/*'] }))
  }
  const context = await chromium.launchPersistentContext(join(directory, 'profile'), {
    executablePath,
    args: [...FLAGS, '--headless=new', `--disable-extensions-except=${unpacked}`, `--load-extension=${unpacked}`],
    ignoreDefaultArgs: ['--headless', '--disable-extensions'],
    timeout: PATIENCE,
    viewport: { width: 900, height: 700 },
    locale: 'en-US',
  })
  context.setDefaultTimeout(PATIENCE)
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const id = new URL(worker.url()).host
  return {
    context,
    id,
    async open(path) {
      const page = await context.newPage()
      await page.goto(`chrome-extension://${id}/${path}`)
      return page
    },
    background: async (call, argument) => {
      const [current] = context.serviceWorkers()
      const at = current ?? (await context.waitForEvent('serviceworker'))
      return at.evaluate(call as never, argument as never)
    },
    async close() {
      await context.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { FLAGS, onPath } from '#test/support/program/browser.ts'
import { PATIENCE } from '#test/support/program/patience.ts'

const root = join(import.meta.dirname, '../..')
export const DIST = join(root, 'packages/extension/dist')

/** A Chromium with extensions, which the packaged one lacks. Undefined if none is installed. */
export const extensionBrowser = (): string | undefined => onPath('chromium', 'chromium-browser')

export const buildExtension = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, ['packages/extension/src/build/build.ts'], { cwd: root })
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
  await cp(join(DIST, 'chromium'), unpacked, { recursive: true })
  await writeFile(join(unpacked, 'service.json'), JSON.stringify({ url: service }))
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

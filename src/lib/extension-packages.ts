import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXTENSION_BROWSERS, type ExtensionBrowser } from '#core/extension-browser.ts'

/** The packages of the browser extension that the service offers. */
export interface ExtensionPackages {
  browsers: readonly ExtensionBrowser[]
  /** The package, which uses this service at first. Undefined if it was not built. */
  packageFor(browser: string): Promise<Uint8Array> | undefined
}

/** The file of the package that names the service (`packages/extension`). */
const SERVICE = 'service.json'

/** Offers what `npm run build` has put into the directory. Each package is made once, when it is first requested. */
export function createExtensionPackages(
  directory: string | undefined,
  site: Readonly<{ url: string }>,
): ExtensionPackages {
  const path = (browser: ExtensionBrowser): string => join(directory ?? '', `mayfly-${browser}.zip`)
  const browsers = directory === undefined ? [] : EXTENSION_BROWSERS.filter((browser) => existsSync(path(browser)))
  const made = new Map<string, Promise<Uint8Array>>()

  async function make(browser: ExtensionBrowser): Promise<Uint8Array> {
    const { strToU8, unzipSync, zipSync } = await import('fflate')
    const files = unzipSync(await readFile(path(browser)))
    return zipSync({ ...files, [SERVICE]: strToU8(JSON.stringify({ url: site.url })) })
  }

  return {
    browsers,
    packageFor(name) {
      const browser = browsers.find((each) => each === name)
      if (browser === undefined) return undefined
      const known = made.get(browser) ?? make(browser)
      made.set(browser, known)
      known.catch(() => made.delete(browser))
      return known
    },
  }
}

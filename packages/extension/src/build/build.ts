import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { build, type InlineConfig } from 'wxt'
import { localeFiles } from './locales.ts'
import { manifestFor } from './manifest.ts'
import { withoutHtml } from './no-html.ts'

/**
 * `npm run extension`: builds the extension for both browsers into `packages/extension/dist`, a folder and a zip for
 * each. `MAYFLY_PUBLIC_URL` names the service that it uses at first.
 */
const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')
const client = join(root, '../client/src/index.ts')
const BROWSERS = ['chromium', 'firefox'] as const
/** Fixed, so that the same source gives the same zip. */
const MTIME = new Date(2026, 0, 1)

/** Logs errors only. */
const logger = {
  debug() {},
  log() {},
  info() {},
  success() {},
  warn: console.warn,
  error: console.error,
  fatal: console.error,
  level: 0,
}

async function configFor(browser: (typeof BROWSERS)[number]): Promise<InlineConfig> {
  const url = process.env.MAYFLY_PUBLIC_URL ?? 'http://localhost:3000'
  const files = [...(await localeFiles()), { relativeDest: 'service.json', contents: JSON.stringify({ url }) }]
  return {
    root,
    configFile: false,
    srcDir: 'src',
    outDir: 'dist',
    outDirTemplate: browser,
    imports: false,
    browser: browser === 'chromium' ? 'chrome' : browser,
    manifestVersion: 3,
    mode: 'production',
    logger,
    manifest: manifestFor(browser),
    hooks: { 'build:publicAssets': (_wxt, assets) => void assets.push(...files) },
    vite: () => ({
      logLevel: 'error',
      plugins: [withoutHtml()],
      resolve: { alias: { '@mayfly/client': client } },
      css: { modules: { generateScopedName: '[hash:base64:5]' } },
      // Each script is a separate build with its own license file. `joinLicenses` merges them.
      build: { license: { fileName: `licenses-${randomUUID()}.md` } },
      define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' },
    }),
  }
}

/** The licenses of the packages must accompany their code. */
async function joinLicenses(browser: string): Promise<void> {
  const folder = join(dist, browser)
  const licenses = new Set<string>()
  for (const name of await readdir(folder)) {
    if (!name.startsWith('licenses-')) continue
    const text = await readFile(join(folder, name), 'utf8')
    for (const license of text.split(/^(?=## \S+ - \d)/m).slice(1)) licenses.add(license.trim())
    await rm(join(folder, name))
  }
  await writeFile(join(folder, 'licenses.md'), `# Licenses\n\n${[...licenses].toSorted().join('\n\n')}\n`)
}

async function zip(browser: string): Promise<void> {
  const folder = join(dist, browser)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(
    paths
      .toSorted()
      .map(async (path) => [path.slice(folder.length + 1), new Uint8Array(await readFile(path))] as const),
  )
  await writeFile(join(dist, `mayfly-${browser}.zip`), zipSync(Object.fromEntries(files), { level: 9, mtime: MTIME }))
}

// React and Vite select their production builds by this.
process.env.NODE_ENV = 'production'
await rm(dist, { recursive: true, force: true })
await mkdir(dist)
for (const browser of BROWSERS) {
  await build(await configFor(browser))
  await joinLicenses(browser)
  await zip(browser)
}

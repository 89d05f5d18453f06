import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'vite'
import { fingerprint } from './fingerprint.ts'

const root = join(import.meta.dirname, '../../..')
const source = join(root, 'src')
const SOURCES = ['src', 'packages/client/src', 'locales', 'package.json', 'package-lock.json']
const WORKERS = [
  'mail/reader/worker.ts',
  'mail/reader/authenticate-worker.ts',
  'mail/sealing/sealer-worker.ts',
  'store/dialects/sqlite/worker.ts',
  'store/dialects/sqlite/backup-worker.ts',
]

/** The name of a worker's bundle: `mail/reader/worker.ts` becomes `mail-reader-worker`. */
const nameOf = (file: string): string => file.replace(/\.ts$/, '').replaceAll('/', '-')

/**
 * Lets bundled code find files relative to its source, and workers in their bundles. Whatever the place of the bundle, it
 * is two folders below the root.
 */
const locate = (): Plugin => ({
  name: 'mayfly:locate',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes('import.meta')) return null
    const file = relative(source, id)
    const place = JSON.stringify(`../../src/${file}`)
    return code.replaceAll(
      /new URL\('\.\/(?<worker>[\w-]*worker)\.ts', import\.meta\.url\)|import\.meta\.url/g,
      (_, worker?: string) =>
        worker === undefined
          ? `new URL(${place}, import.meta.url).href`
          : `new URL('./${nameOf(join(dirname(file), worker))}.js', import.meta.url)`,
    )
  },
})

/**
 * Bundles the program and its packages into `dist/program`, one file per command and thread: from its sources and
 * `node_modules`, a start reads more than 1,000 files and takes twice the CPU time. Does nothing if no source has changed.
 */
export async function bundleProgram(): Promise<void> {
  const target = join(root, 'dist/program')
  const id = await fingerprint(root, SOURCES)
  if ((await readFile(join(target, 'build.json'), 'utf8').catch(() => '')) === id) return
  // Written beside its place and then renamed, because a running program imports its commands when it needs them.
  const draft = join(root, `dist/program-${process.pid}`)
  await mkdir(draft, { recursive: true })
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [locate()],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: draft,
      target: 'node24',
      minify: false,
      // The licenses of the packages must accompany their code.
      license: { fileName: 'licenses.md' },
      copyPublicDir: false,
      rolldownOptions: {
        // Tree shaking and the minifier would remove calls that are made only for their error, such as
        // `decodeURIComponent(password)`.
        treeshake: false,
        input: Object.fromEntries(['main.ts', ...WORKERS].map((file) => [nameOf(file), join(source, file)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', minify: false },
      },
    },
  })
  await writeFile(join(draft, 'build.json'), id)
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
}

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { languages } from '#locales/languages.ts'
import { PARTS } from '#locales/parts.ts'
import { compileMessages, messageFile } from '../i18n/compile.ts'
import { messagesPath } from '../i18n/messages.ts'
import { compress } from './compress.ts'
import { buildExtension } from './extension.ts'
import { fingerprint } from './fingerprint.ts'
import { writePdfFiles } from './pdf.ts'
import { bundleProgram } from './program.ts'
import { REFERENCE_SCRIPT, referenceScript } from './reference.ts'

/**
 * Builds the pages: `dist/client` for the browser, with compressed copies and the build's own files, and
 * `dist/server` for rendering; and the program in `dist/program`. With `--if-stale` only if a source has changed since
 * the last build.
 */
const root = join(import.meta.dirname, '../../..')
const client = join(root, 'dist/client')
const stamp = join(root, 'dist/build.json')
const SOURCES = [
  'src/web',
  'src/contract',
  'src/core',
  'src/mail',
  'locales',
  'public',
  'vite.config.ts',
  'package-lock.json',
]

const id = await fingerprint(root, SOURCES)
const last = await readFile(stamp, 'utf8').catch(() => '')
if (!process.argv.includes('--if-stale') || last !== id) {
  // React and Vite select their production builds by this.
  process.env.NODE_ENV = 'production'
  await build({ root, configFile: join(root, 'vite.config.ts') })
  await build({ root, configFile: join(root, 'vite.config.ts'), build: { ssr: 'src/web/entry.server.tsx' } })
  const manifest = join(root, 'dist/server/manifest.json')
  await rename(join(client, '.vite/manifest.json'), manifest)
  await writeFile(join(root, 'dist/server/build-id.json'), JSON.stringify(id))
  const meta = { id, timestamp: Date.now() }
  await mkdir(join(client, 'builds/meta'), { recursive: true })
  await writeFile(join(client, 'builds/latest.json'), JSON.stringify(meta))
  await writeFile(
    join(client, `builds/meta/${id}.json`),
    JSON.stringify({ ...meta, files: JSON.parse(await readFile(manifest, 'utf8')) as unknown }),
  )
  const paths = PARTS.map((part) => join(client, messagesPath('', id, part)))
  await Promise.all(paths.map((path) => mkdir(dirname(path), { recursive: true })))
  await Promise.all(
    languages.flatMap(({ code }) =>
      PARTS.map(async (part) => writeFile(join(client, messagesPath(code, id, part)), await messageFile(code, part))),
    ),
  )
  await mkdir(join(root, 'dist/server/messages'))
  await Promise.all(
    languages.map(async ({ code }) =>
      writeFile(join(root, `dist/server/messages/${code}.json`), JSON.stringify(await compileMessages(code))),
    ),
  )
  await writeFile(join(client, REFERENCE_SCRIPT), referenceScript())
  await writePdfFiles(join(client, 'pdf'))
  await compress(client, join(root, 'node_modules/.cache/compressed'))
  await writeFile(stamp, id)
}
await bundleProgram()
await buildExtension()

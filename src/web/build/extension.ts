import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EXTENSION_BROWSERS } from '#core/extension-browser.ts'
import { fingerprint } from './fingerprint.ts'

const root = join(import.meta.dirname, '../../..')
const target = join(root, 'dist/extension')
const stamp = join(target, 'build.json')
const SOURCES = [
  'packages/extension/src',
  'packages/extension/public',
  'packages/extension/package.json',
  'packages/client/src',
  'src/web/components',
  'src/web/hooks',
  'src/web/i18n',
  'src/web/styles',
  'locales',
  'package-lock.json',
]

/** Builds the packages of the browser extension that the service offers, if a source has changed since the last time. */
export async function buildExtension(): Promise<void> {
  const id = await fingerprint(root, SOURCES)
  if ((await readFile(stamp, 'utf8').catch(() => '')) === id) return
  // In a process of its own: WXT sets the environment of the process.
  await promisify(execFile)(process.execPath, [join(root, 'packages/extension/src/build/build.ts')], { cwd: root })
  await mkdir(target, { recursive: true })
  for (const browser of EXTENSION_BROWSERS) {
    const name = `mayfly-${browser}.zip`
    await cp(join(root, 'packages/extension/dist', name), join(target, name))
  }
  await writeFile(stamp, id)
}

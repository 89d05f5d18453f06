import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const PARTS = [
  'dist',
  'src',
  'locales',
  'content',
  'public',
  'openapi.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
]

/** A copy of the sources and of what is built of them, which may be changed and built anew, as a deploy does. */
export interface Checkout {
  root: string
  /** Builds the pages, and answers the build's identifier. */
  build(): Promise<string>
  /** Puts the build back that was there first, and answers its identifier. */
  rollBack(): Promise<string>
  /** Changes one interface message. */
  say(code: string, key: string, text: string): Promise<void>
  remove(): Promise<void>
}

export async function copyCheckout(): Promise<Checkout> {
  const root = await mkdtemp(join(tmpdir(), 'mayfly-checkout-'))
  await Promise.all(PARTS.map((part) => cp(join(ROOT, part), join(root, part), { recursive: true })))
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const idOfBuild = async (): Promise<string> => {
    const { id } = JSON.parse(await readFile(join(root, 'dist/client/builds/latest.json'), 'utf8')) as { id: string }
    return id
  }
  return {
    root,
    async build() {
      await promisify(execFile)(process.execPath, ['src/web/build.ts'], { cwd: root })
      return idOfBuild()
    },
    async rollBack() {
      await rm(join(root, 'dist'), { recursive: true })
      await cp(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true })
      return idOfBuild()
    },
    async say(code, key, text) {
      const file = join(root, `locales/${code}.json`)
      const messages = JSON.parse(await readFile(file, 'utf8')) as object
      await writeFile(file, JSON.stringify({ ...messages, [key]: text }))
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const ROOT = join(import.meta.dirname, '../..')

interface Packed {
  name: string
  version: string
  filename: string
  files: { path: string }[]
}

/** A project of a user in which the packed packages are installed. */
export interface Project {
  directory: string
  packed: Packed[]
  remove(): Promise<void>
}

/** The extension is a package of browsers, not of npm. */
const PUBLISHED = ['client', 'cypress', 'playwright', 'testcontainers']

/** What a user installs beside the packages: linked from this checkout. */
const PEERS = ['@playwright/test', 'nodemailer', 'testcontainers']

/** Packs all packages and installs them in an empty project. */
export async function createProject(): Promise<Project> {
  // Node resolves links, and Playwright compares paths.
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'mayfly-project-')))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const chosen = PUBLISHED.flatMap((name) => ['--workspace', `packages/${name}`])
    const { stdout } = await run('npm', ['pack', '--json', ...chosen, '--pack-destination', directory], { cwd: ROOT })
    const packed = JSON.parse(stdout) as Packed[]
    await writeFile(join(directory, 'package.json'), '{"type":"module"}')
    // Offline and without peers, which are linked below.
    const args = ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps']
    await run('npm', [...args, ...packed.map(({ filename }) => join(directory, filename))], { cwd: directory })
    for (const name of PEERS) {
      const link = join(directory, 'node_modules', name)
      await mkdir(dirname(link), { recursive: true })
      await symlink(join(ROOT, 'node_modules', name), link)
    }
    return { directory, packed, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Chromium from the npm package `@sparticuz/chromium`, unpacked and ready to start. */
export interface PackagedChromium {
  path: string
  /** Environment variables that it needs in addition: libraries and fonts that the machine may lack. */
  env: Record<string, string>
}

const MODULES = join(import.meta.dirname, '../../../node_modules')
const CACHE = join(MODULES, '.cache')
const MANIFEST = join(MODULES, '@sparticuz/chromium/package.json')
/** The package unpacks into the temporary folder of its environment. */
const UNPACK = `
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  await Promise.all([chromium.executablePath(), inflate(process.argv[1])])`
const LIBRARIES = join(MODULES, '@sparticuz/chromium/bin/al2023.tar.br')

/**
 * Unpacks the package at the first call, which takes a few seconds, into `node_modules/.cache`, which `npm ci` removes.
 * The folder is complete or absent: it is renamed after the last file is written, so concurrent processes do not
 * disturb each other. The files are written by a process that starts no other, because a file that is still open for
 * writing in any process can't be executed (ETXTBSY).
 */
export async function packagedChromium(cache = CACHE): Promise<PackagedChromium> {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }
  const directory = join(cache, `chromium-${version}`)
  if (!existsSync(directory)) await unpack(directory)
  const libraries = [join(directory, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(directory, 'fonts.conf') }
  return { path: join(directory, 'chromium'), env: { LD_LIBRARY_PATH: libraries, ...fonts } }
}

async function unpack(directory: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true })
  const unfinished = await mkdtemp(`${directory}-`)
  const env = { ...process.env, TMPDIR: unfinished }
  const args = ['--input-type=module', '-e', UNPACK, LIBRARIES]
  await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, env })
  await writeFile(
    join(unfinished, 'fonts.conf'),
    `<?xml version="1.0"?>
<fontconfig><dir>${directory}/fonts</dir><cachedir>${directory}/fonts-cache</cachedir></fontconfig>
`,
  )
  await rename(unfinished, directory).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true, force: true })
    // Another process was faster.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

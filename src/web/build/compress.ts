import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { filesIn } from './fingerprint.ts'

const BEST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
const BEST_GZIP = { level: 9 }

const COMPRESSIONS: Record<string, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, BEST_BROTLI),
  gz: (content) => promisify(gzip)(content, BEST_GZIP),
}

/**
 * Writes compressed copies beside the files of a directory. Compressing takes nearly half of a build and few files change
 * between builds, so `cache` keeps the copies of the last build, named by the content of the file.
 */
export async function compress(directory: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const files = (await filesIn(directory)).filter((file) => /\.(?:js|css|svg|json|webmanifest)$/.test(file))
  const names = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      const hash = createHash('sha256').update(content).digest('hex')
      return Promise.all(
        Object.entries(COMPRESSIONS).map(async ([ending, work]) => {
          const name = `${hash}.${ending}`
          const known = await readFile(join(cache, name)).catch(() => undefined)
          const compressed = known ?? (await work(content))
          await writeFile(`${file}.${ending}`, compressed)
          if (!known) await keep(join(cache, name), compressed)
          return name
        }),
      )
    }),
  )
  const used = new Set(names.flat())
  const old = (await readdir(cache)).filter((name) => !used.has(name))
  await Promise.all(old.map((name) => rm(join(cache, name), { force: true })))
}

/** Another build that runs at the same time must not read a half-written file. */
async function keep(path: string, content: Buffer): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path).catch((error: NodeJS.ErrnoException) => {
    // The other build has removed it as unused.
    if (error.code !== 'ENOENT') throw error
  })
}

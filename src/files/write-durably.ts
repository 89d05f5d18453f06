import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { syncDirectory } from './directory.ts'
import { publish } from './publish.ts'

interface WriteOptions {
  /** Rejects with `EEXIST` if the file exists, instead of replacing it. */
  exclusive?: boolean
}

/**
 * Writes a file with mode 0600. No reader ever sees part of it, even after a power cut: it is written and synced under
 * another name (`.NAME.RANDOM.EXT`), then renamed, and then the directory is synced.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { exclusive = false }: WriteOptions = {},
): Promise<void> {
  const { dir, name, ext } = parse(path)
  const draft = join(dir, `.${name}.${randomBytes(6).toString('hex')}${ext}`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(Array.isArray(content) ? Buffer.concat(content) : (content as string | Uint8Array))
      await file.sync()
    } finally {
      await file.close()
    }
    if (exclusive) await publish(draft, path)
    else {
      await rename(draft, path)
      await syncDirectory(dirname(path))
    }
  } finally {
    await rm(draft, { force: true })
  }
}

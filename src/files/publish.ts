import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from './directory.ts'

/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Durably gives a complete file its name. Never replaces a file: rejects with `EEXIST`. Readers never see part of the
 * file, but an empty one for a moment if the file system has no hard links.
 */
export async function publish(draft: string, path: string): Promise<void> {
  // Unlike `rename`, `link` never replaces an existing file.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (!NO_LINKS.has(error.code ?? '')) throw error
    return takePlace(draft, path)
  })
  await rm(draft, { force: true })
  await syncDirectory(dirname(path))
}

/** Renames the draft over an empty file of its own, so that only one of several processes gets the name. */
async function takePlace(draft: string, path: string): Promise<void> {
  await (await open(path, 'wx', 0o600)).close()
  await rename(draft, path).catch(async (error: unknown) => {
    await rm(path, { force: true })
    throw error
  })
}

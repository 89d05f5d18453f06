import { access, constants, mkdir, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Makes durable what was made, renamed or removed in a directory. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Makes a directory for its owner alone (mode 0700), with those above it, durably; one that is there stays as it is.
 * Rejects with the error of the file system. Node's own recursive mkdir never ends under `/proc`, where "not found" is
 * the answer even when the directory above is there.
 */
export async function makeDirectory(path: string): Promise<void> {
  const missing: string[] = []
  let above = resolve(path)
  while (!(await isDirectory(above))) {
    missing.unshift(above)
    above = dirname(above)
  }
  for (const each of missing) {
    try {
      await mkdir(each, 0o700)
    } catch (error) {
      // Another process may have been faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isDirectory(each))) throw error
    }
    await syncDirectory(dirname(each))
  }
}

/** Makes the directory where it isn't there, and rejects where no file can be made in it. */
export async function makeWritableDirectory(path: string): Promise<void> {
  await makeDirectory(path)
  await access(path, constants.W_OK | constants.X_OK)
}

/** False where nothing is there; rejects for what is no directory. */
async function isDirectory(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' })
}

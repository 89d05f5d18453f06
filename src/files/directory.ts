import { access, constants, mkdir, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Syncs a directory, so that created, renamed and removed entries are durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Creates a directory with mode 0700, and missing parents, durably. An existing directory stays unchanged. Rejects with
 * the file system's error. Node's recursive mkdir never returns under `/proc`, where mkdir fails with "not found" even
 * if the parent exists.
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
      // Another process may have created it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isDirectory(each))) throw error
    }
    await syncDirectory(dirname(each))
  }
}

/** Creates the directory if it does not exist. Rejects if no file can be created in it. */
export async function makeWritableDirectory(path: string): Promise<void> {
  await makeDirectory(path)
  await access(path, constants.W_OK | constants.X_OK)
}

/** Rejects if no file can be created in this directory, or in one that would be created at a path that is free. */
export async function checkDirectory(path: string, { mayBeMissing }: { mayBeMissing: boolean }): Promise<void> {
  let above = resolve(path)
  while (!(await isDirectory(above)) && mayBeMissing) above = dirname(above)
  await access(above, constants.W_OK | constants.X_OK)
}

/** Returns false if nothing exists at the path. Rejects if it is not a directory. */
async function isDirectory(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' })
}

import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the paths of all files in a folder, or the path itself if it is a file. */
export async function filesIn(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** A hash of all source contents. Modification times change with every checkout. */
export async function fingerprint(root: string, sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const files = (await Promise.all(sources.map((source) => filesIn(join(root, source))))).flat().toSorted()
  for (const [i, content] of (await Promise.all(files.map((file) => readFile(file)))).entries()) {
    hash.update(files[i] ?? '').update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

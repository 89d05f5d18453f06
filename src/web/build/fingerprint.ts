import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** Returns the paths of all files in a folder, or the path itself if it is a file. */
export async function filesIn(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/**
 * A hash of all source contents, and of their paths below the root: the nodes of a cluster must have the same id whatever
 * the directory of each. Modification times change with every checkout.
 */
export async function fingerprint(root: string, sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const files = (await Promise.all(sources.map((source) => filesIn(join(root, source))))).flat()
  const paths = files.map((file) => relative(root, file).replaceAll(sep, '/')).toSorted()
  const contents = await Promise.all(paths.map((path) => readFile(join(root, path))))
  contents.forEach((content, i) => hash.update(paths[i] ?? '').update(content))
  return hash.digest('hex').slice(0, 16)
}

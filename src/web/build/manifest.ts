/** Vite's build manifest: each source with its file, its styles and its static imports. */
export type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/** The files of some sources and their static imports, without duplicates, in order of discovery. */
export function filesOf(manifest: Manifest, sources: readonly string[]): string[] {
  const files = new Set<string>()
  const add = (source: string): void => {
    const entry = manifest[source]
    if (!entry || files.has(entry.file)) return
    files.add(entry.file)
    entry.imports?.forEach(add)
  }
  sources.forEach(add)
  return [...files]
}

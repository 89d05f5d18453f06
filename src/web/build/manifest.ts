/** What Vite says of a build: each source with its file, the styles beside it and the sources it imports at once. */
export type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/** The files of some sources with all that they import at once, each once, in the order in which they are met. */
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

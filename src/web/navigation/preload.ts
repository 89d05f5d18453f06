/** Loads the files of pages in advance: each once, at most `atOnce` at a time. */
export function createPreloads(load: (page: string) => Promise<unknown>, atOnce = 4) {
  const known = new Set<string>()
  const waiting: string[] = []
  let running = 0

  function next(): void {
    const page = running < atOnce ? waiting.shift() : undefined
    if (page === undefined) return
    running++
    // A failed preload is tried again at the navigation.
    load(page)
      .catch(() => known.delete(page))
      .finally(() => {
        running--
        next()
      })
    next()
  }

  return (page: string): void => {
    if (known.has(page)) return
    known.add(page)
    waiting.push(page)
    next()
  }
}

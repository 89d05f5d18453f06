/** Limits of one group. */
export interface GroupOptions<Item> {
  /** At most so many items travel together. */
  maxItems: number
  /** At most so much weight travels together; a heavier single item travels alone. */
  maxWeight?: number
  weigh?: (item: Item) => number
  /** Groups that may be on their way side by side. Default 1; with 2 the one who does the work need not wait for us. */
  atOnce?: number
}

/**
 * Group commit: answers a function that hands its item to `run` together with all others that wait at that moment, and
 * resolves with its own result. What comes while `atOnce` runs are under way makes the next group. A failed run fails its
 * group.
 */
export function grouped<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxItems, maxWeight = Infinity, weigh = () => 0, atOnce = 1 }: GroupOptions<Item>,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let running = 0
  let starting = false

  function take(): Waiting[] {
    let weight = 0
    let count = 0
    for (const { item } of waiting) {
      weight += weigh(item)
      if (count === maxItems || (count > 0 && weight > maxWeight)) break
      count++
    }
    const group = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return group
  }

  async function drain(): Promise<void> {
    starting = false
    running++
    while (waiting.length > 0) {
      const group = take()
      try {
        const results = await run(group.map(({ item }) => item))
        group.forEach(({ resolve }, i) => resolve(results[i] as Result))
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    running--
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (starting || running >= atOnce) return
      starting = true
      // After the I/O callbacks of this turn, so that whatever arrived with this item goes with it.
      setImmediate(() => void drain())
    })
}

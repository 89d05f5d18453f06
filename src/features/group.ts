/** Limits of one group. */
export interface GroupOptions<Item> {
  /** At most so many items travel together. */
  maxItems: number
  /** At most so much weight travels together; a heavier single item travels alone. */
  maxWeight?: number
  weigh?: (item: Item) => number
}

/**
 * Group commit: answers a function that hands its item to `run` together with all others that wait at that moment, and
 * resolves with its own result. One run at a time; what comes meanwhile makes the next group. A failed run fails its group.
 */
export function grouped<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxItems, maxWeight = Infinity, weigh = () => 0 }: GroupOptions<Item>,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let running = false

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
    while (waiting.length > 0) {
      const group = take()
      try {
        // oxlint-disable-next-line no-await-in-loop -- one group at a time is the point
        const results = await run(group.map(({ item }) => item))
        group.forEach(({ resolve }, i) => resolve(results[i] as Result))
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    running = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (running) return
      running = true
      // After the I/O callbacks of this turn, so that whatever arrived with this item goes with it.
      setImmediate(() => void drain())
    })
}

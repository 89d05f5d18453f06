/** The limits of a group. */
interface GroupOptions<Item> {
  /** The maximum number of items in a group. */
  maxItems: number
  /** The maximum weight of a group. A heavier single item makes a group of its own. */
  maxWeight?: number
  weigh?: (item: Item) => number
  /**
   * The number of groups that may run at once. Default: 1. With 2, a worker thread has the next group when it finishes
   * one.
   */
  atOnce?: number
  /** How long a group waits for more items before it runs, in milliseconds. Default: until the end of the turn. */
  gather?: number
}

/**
 * Group commit: returns a function that passes its item to `run` together with all other waiting items, and resolves
 * with the result of its item. Items that arrive while `atOnce` groups run form the next group. If a run rejects, every
 * item of its group rejects.
 */
export function grouped<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxItems, maxWeight = Infinity, weigh = () => 0, atOnce = 1, gather }: GroupOptions<Item>,
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
      if (gather !== undefined) setTimeout(() => void drain(), gather)
      // Runs after the I/O callbacks of this turn, so that items that arrived together form one group.
      else setImmediate(() => void drain())
    })
}

const MAX_LOOK_UPS = 200

/**
 * Returns a function that finds the row with a key. Concurrent calls share a query. `read` returns the rows that exist, in
 * any order, and gets each key once.
 */
export function groupedLookUp<Key, Row>(
  read: (keys: Key[]) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): (key: Key) => Promise<Row | undefined> {
  return grouped<Key, Row | undefined>(
    async (keys) => {
      const rows = new Map((await read([...new Set(keys)])).map((row) => [keyOf(row), row]))
      return keys.map((key) => rows.get(key))
    },
    // With two groups at once, the next group is ready when the store has finished one.
    { maxItems: MAX_LOOK_UPS, atOnce: 2 },
  )
}

/**
 * The maximum age of the sums read from the store, in milliseconds. They change when other nodes store and when
 * messages expire.
 */
const MAX_AGE = 5000

/** Bytes in the store, by key: those of the last read, and those that this node has added since. */
export interface StoredSums<Key extends string> {
  /** Reads the sums again if they are old. */
  refresh(): Promise<void>
  used(key: Key): number
  /** Counts bytes before they are stored. The caller must then call `settle`. */
  take(key: Key, bytes: number): void
  /** Confirms that the bytes were stored, or takes them back. */
  settle(key: Key, bytes: number, stored: boolean): void
  /** Whether the next `refresh` finds all that is counted here. */
  isIdle(): boolean
}

export function createStoredSums<Key extends string>(
  read: () => Promise<Partial<Record<Key, number>>>,
): StoredSums<Key> {
  /** Bytes reserved on this node since the start, without canceled reservations. */
  const taken = new Map<Key, number>()
  /** The part of `taken` that is stored. */
  const settled = new Map<Key, number>()
  /** The part of `taken` that `stored` certainly includes. */
  let counted = new Map<Key, number>()
  /** Bytes in the store, at the last read. */
  let stored: Partial<Record<Key, number>> = {}
  let readAt = -Infinity
  let reading: Promise<void> | undefined
  const add = (sums: Map<Key, number>, key: Key, bytes: number) => sums.set(key, (sums.get(key) ?? 0) + bytes)
  const isOld = () => performance.now() - readAt > MAX_AGE

  async function readAll(): Promise<void> {
    const before = new Map(settled)
    stored = await read()
    counted = before
    readAt = performance.now()
  }

  return {
    async refresh() {
      if (isOld()) await (reading ??= readAll().finally(() => (reading = undefined)))
    },
    used: (key) => (stored[key] ?? 0) + (taken.get(key) ?? 0) - (counted.get(key) ?? 0),
    take: (key, bytes) => void add(taken, key, bytes),
    settle: (key, bytes, wasStored) => void add(wasStored ? settled : taken, key, wasStored ? bytes : -bytes),
    isIdle: () =>
      isOld() && reading === undefined && [...taken].every(([key, bytes]) => bytes === (settled.get(key) ?? 0)),
  }
}

/** The number of rows in a batch. */
export const BATCH_SIZE = 100

interface BatchOptions {
  size?: number
  /** Once it aborts, no further batch is read. */
  stopping?: AbortSignal | undefined
}

/** Yields all rows of a table. `read` returns the next `limit` rows, after the given one. */
export async function* inBatches<T>(
  read: (limit: number, after?: T) => Promise<T[]>,
  { size = BATCH_SIZE, stopping }: BatchOptions = {},
): AsyncGenerator<T> {
  let batch: T[] = []
  do {
    batch = await read(size, batch.at(-1))
    yield* batch
  } while (batch.length === size && !stopping?.aborted)
}

/** Yields `items` in groups of up to `size`. */
export function* inChunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

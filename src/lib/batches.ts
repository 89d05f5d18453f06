/** The number of rows in a batch. */
export const BATCH_SIZE = 100

/** Yields all rows of a table. `read` returns the next `BATCH_SIZE` rows, after the row with the given id. */
export async function* inBatches<T extends { id: string }>(read: (after?: string) => Promise<T[]>): AsyncGenerator<T> {
  let batch: T[] = []
  do {
    batch = await read(batch.at(-1)?.id)
    yield* batch
  } while (batch.length === BATCH_SIZE)
}

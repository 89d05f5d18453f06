import { expect, test } from 'vitest'
import { BATCH_SIZE, inBatches, inChunks } from './batches.ts'

const rows = Array.from({ length: 2 * BATCH_SIZE + 1 }, (_, i) => ({ id: String(i) }))
const read = async (limit: number, after = { id: '-1' }) =>
  rows.slice(Number(after.id) + 1, Number(after.id) + 1 + limit)

test('yields all rows, batch after batch', async () => {
  const all = []
  for await (const row of inBatches<(typeof rows)[0]>(read)) all.push(row)
  expect(all).toEqual(rows)
})

test('reads no further batch once it shall stop', async () => {
  const stopping = new AbortController()
  let seen = 0
  for await (const _ of inBatches(read, { stopping: stopping.signal })) if (++seen === 1) stopping.abort()
  expect(seen).toBe(BATCH_SIZE)
})

test('yields items in groups', () => {
  expect([...inChunks([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...inChunks([1, 2], 2)]).toEqual([[1, 2]])
  expect([...inChunks([], 2)]).toEqual([])
})

import { expect, test } from 'vitest'
import { createPreloads } from './preload.ts'

function stage() {
  const started: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const preload = createPreloads((page) => {
    started.push(page)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    ends.set(page, { resolve, reject })
    return promise
  })
  return { started, ends, preload }
}

test('loads each page once and in order, four at a time', async () => {
  const { started, ends, preload } = stage()
  for (const page of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'e']) preload(page)
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  ends.get('b')?.resolve()
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd', 'e'])
  ends.get('a')?.resolve()
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('continues after a failure, which can be tried again', async () => {
  const { started, ends, preload } = stage()
  preload('a')
  ends.get('a')?.reject(new Error('gone'))
  await expect
    .poll(() => {
      preload('a')
      return started
    })
    .toEqual(['a', 'a'])
})

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

test('four at once, each once, the others in their order', async () => {
  const { started, ends, preload } = stage()
  for (const page of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'e']) preload(page)
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  ends.get('b')?.resolve()
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd', 'e'])
  ends.get('a')?.resolve()
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('one that fails may be tried again, and holds up nobody', async () => {
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

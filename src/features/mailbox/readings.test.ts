import { expect, test, vi } from 'vitest'
import { MemoryBudget } from '#core/memory-budget.ts'
import { createReadings } from './readings.ts'

const readings = () => createReadings({ memory: new MemoryBudget(1000), atOnce: 2, maxWaiting: 3 })

test('limits the readings of one address without delaying other addresses', async () => {
  const { run } = readings()
  const release = Promise.withResolvers<void>()
  const started: string[] = []
  const work = (name: string) => async () => {
    started.push(name)
    await release.promise
  }
  const own = Array.from({ length: 5 }, (_, i) => run('me', 1, work(`me${i}`)))
  await expect(run('me', 1, work('too many'))).rejects.toMatchObject({ code: 'too_many_requests' })
  const other = run('other', 1, work('other'))
  await vi.waitFor(() => expect(started).toEqual(['me0', 'me1', 'other']))
  release.resolve()
  await Promise.all([...own, other])
  expect(started).toHaveLength(6)
  await run('me', 1, async () => {})
})

test('limits the memory of all readings together', async () => {
  const { run } = readings()
  let running = 0
  let maxRunning = 0
  const work = async () => {
    maxRunning = Math.max(maxRunning, ++running)
    await new Promise(setImmediate)
    running--
  }
  await Promise.all(Array.from({ length: 8 }, (_, i) => run(`address${i}`, 50, work)))
  expect(maxRunning).toBe(2)
})

test('frees the slot of a failed reading', async () => {
  const { run } = readings()
  const fail = () => Promise.reject(new Error('no'))
  for (let i = 0; i < 5; i++) await expect(run('me', 500, fail)).rejects.toThrow('no')
  expect(await run('me', 500, async () => 1)).toBe(1)
})

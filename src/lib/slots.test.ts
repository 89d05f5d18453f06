import { expect, test } from 'vitest'
import { createKeyedSlots, createSlots } from './slots.ts'

const slots = () => createSlots({ atOnce: 2, maxWaiting: 1, refusal: () => new Error('full') })

test('runs few calls at once, lets few wait in order, and refuses the others', async () => {
  const { run, isIdle } = slots()
  const started: number[] = []
  const releases = Array.from({ length: 3 }, () => Promise.withResolvers<number>())
  const calls = releases.map(({ promise }, i) =>
    run(() => {
      started.push(i)
      return promise
    }),
  )
  await expect(run(async () => 3)).rejects.toThrow('full')
  expect(started).toEqual([0, 1])
  expect(isIdle()).toBe(false)
  releases[1]?.resolve(10)
  expect(await calls[1]).toBe(10)
  expect(started).toEqual([0, 1, 2])
  releases[0]?.resolve(20)
  releases[2]?.resolve(30)
  expect(await Promise.all(calls)).toEqual([20, 10, 30])
  expect(isIdle()).toBe(true)
})

test('frees the slot of failed work', async () => {
  const { run, isIdle } = slots()
  const fail = () => Promise.reject(new Error('no'))
  for (let i = 0; i < 5; i++) await expect(run(fail)).rejects.toThrow('no')
  expect(isIdle()).toBe(true)
})

test('has slots of its own for each key', async () => {
  const { run } = createKeyedSlots({ atOnce: 1, maxWaiting: 0, refusal: () => new Error('full') })
  const release = Promise.withResolvers<void>()
  const first = run('one', () => release.promise)
  await expect(run('one', async () => {})).rejects.toThrow('full')
  expect(await run('two', async () => 2)).toBe(2)
  release.resolve()
  await first
  expect(await run('one', async () => 1)).toBe(1)
})

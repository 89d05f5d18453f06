import { expect, test, vi } from 'vitest'
import { createMemoryBus } from './bus.ts'

const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('notifies a listener once per turn, and only of its own address', async () => {
  const bus = createMemoryBus(logger)
  const [mine, other] = [vi.fn(), vi.fn()]
  bus.subscribe('a', mine)
  bus.subscribe('b', other)
  bus.publish('a')
  bus.publish('a')
  expect(mine).not.toHaveBeenCalled()
  await turn()
  expect(mine).toHaveBeenCalledTimes(1)
  expect(other).not.toHaveBeenCalled()
  bus.publish('a')
  await turn()
  expect(mine).toHaveBeenCalledTimes(2)
})

test('stops only the ended subscription when a function is subscribed twice', async () => {
  const bus = createMemoryBus(logger)
  const listener = vi.fn()
  const end = bus.subscribe('a', listener)
  bus.subscribe('a', listener)
  end()
  end()
  bus.publish('a')
  await turn()
  expect(listener).toHaveBeenCalledTimes(1)
})

test('logs a listener that throws and notifies the others', async () => {
  const bus = createMemoryBus(logger)
  const after = vi.fn()
  bus.subscribe('a', () => {
    throw new Error('no')
  })
  bus.subscribe('a', after)
  bus.publish('a')
  await turn()
  expect(after).toHaveBeenCalledTimes(1)
  expect(logger.error).toHaveBeenCalledTimes(1)
})

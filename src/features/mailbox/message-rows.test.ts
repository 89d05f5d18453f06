import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import type { MessageStore } from '#core/mailbox/message-store.ts'
import { createMessageRows } from './message-rows.ts'

const ids = Array.from({ length: 120 }, messageIds(Date.now, randomBytes))

function rowsOf(store: Partial<MessageStore>) {
  const publish = vi.fn()
  const bus = { publish, subscribe: () => () => {}, isWatched: () => false }
  return { publish, rows: createMessageRows({ store: store as MessageStore, bus, clock: Date.now }) }
}

test('announces the messages that were deleted before some failed', async () => {
  const removeAll = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(new MayflyError('store_unavailable'))
  const { rows, publish } = rowsOf({ removeAll })
  await expect(rows.removeAll('address', ids)).rejects.toThrow(MayflyError)
  expect(removeAll).toHaveBeenCalledTimes(2)
  expect(publish).toHaveBeenCalledExactlyOnceWith('address')
})

test('announces the messages that were marked before some failed', async () => {
  const markAll = vi.fn().mockResolvedValueOnce(true).mockRejectedValueOnce(new MayflyError('store_unavailable'))
  const { rows, publish } = rowsOf({ markAll })
  await expect(rows.markAll('address', ids, { seen: true })).rejects.toThrow(MayflyError)
  expect(publish).toHaveBeenCalledExactlyOnceWith('address')
})

test('marks many messages in some transactions, and announces only a change', async () => {
  const markAll = vi.fn().mockResolvedValue(false)
  const { rows, publish } = rowsOf({ markAll })
  await rows.markAll('address', ['no id', ...ids], { seen: true })
  expect(publish).not.toHaveBeenCalled()
  expect(markAll.mock.calls.flatMap(([, some]) => some as string[])).toEqual(ids)
  expect(markAll.mock.calls.length).toBeLessThan(10)
  markAll.mockResolvedValueOnce(true)
  await rows.markAll('address', ids, { seen: true })
  expect(publish).toHaveBeenCalledExactlyOnceWith('address')
})

import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import type { MessageStore } from '#core/mailbox/message-store.ts'
import { createMessageRows } from './message-rows.ts'

test('announces the messages that were deleted before one failed', async () => {
  const remove = vi.fn().mockResolvedValueOnce(true).mockRejectedValueOnce(new MayflyError('store_unavailable'))
  const publish = vi.fn()
  const store = { remove } as unknown as MessageStore
  const rows = createMessageRows({
    store,
    bus: { publish, subscribe: () => () => {}, isWatched: () => false },
    clock: Date.now,
  })
  const newId = messageIds(Date.now, randomBytes)
  await expect(rows.removeAll('address', [newId(), newId(), newId()])).rejects.toThrow(MayflyError)
  expect(remove).toHaveBeenCalledTimes(2)
  expect(publish).toHaveBeenCalledWith('address')
})

import { rm } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { createStore } from '../../store.ts'
import { claimed, newMessage } from '../../suite/fixtures.ts'
import { openIn, temporaryDirectory } from './fixtures.ts'

const MB = 2 ** 20
const disk = vi.hoisted(() => ({ free: Infinity }))
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<object>()),
  statfs: () => Promise.resolve({ bavail: disk.free, bsize: 1 }),
}))

test('accepts messages on a full disk as soon as deleted ones have left room in the file', async () => {
  const directory = await temporaryDirectory()
  const database = await openIn(directory, { reserveBytes: 8 * MB, onTrouble() {} })
  const store = createStore(database)
  const { id } = await claimed(store)
  const append = (bytes: number) =>
    store.messages.append([newMessage(id, { sealedBody: new Uint8Array(bytes), limitBytes: 1e9 })])
  const message = newMessage(id, { sealedBody: new Uint8Array(3 * MB), limitBytes: 1e9 })
  expect(await store.messages.append([message])).toEqual(['stored'])

  disk.free = 7 * MB
  const isFull = expect.objectContaining({ code: 'disk_full' })
  await expect.poll(() => append(100).catch((error: unknown) => error)).toEqual(isFull)
  await store.messages.remove(id, message.id)
  await vi.waitFor(async () => expect(await append(100)).toEqual(['stored']), PATIENCE)

  // The log needs half of the reserve.
  disk.free = 4 * MB - 1
  await expect.poll(() => append(100).catch((error: unknown) => error)).toEqual(isFull)
  await database.close()
  await rm(directory, { recursive: true })
})

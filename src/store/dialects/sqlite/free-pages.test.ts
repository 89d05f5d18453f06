import { rm, statfs } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { createStore } from '../../store.ts'
import { claimed, newMessage } from '../../suite/fixtures.ts'
import { openIn, temporaryDirectory } from './fixtures.ts'

const MB = 2 ** 20

test('accepts messages on a full disk as soon as deleted ones have left room in the file', async () => {
  const directory = await temporaryDirectory()
  const before = await openIn(directory, { reserveBytes: 0 })
  const { id } = await claimed(createStore(before))
  const message = newMessage(id, { sealedBody: new Uint8Array(32 * MB), limitBytes: 1e9 })
  expect(await createStore(before).messages.append([message])).toEqual(['stored'])
  await before.close()

  // 16 MB are missing, which is more than other tests write or free at the same time.
  const { bavail, bsize } = await statfs(directory)
  const database = await openIn(directory, { reserveBytes: bavail * bsize + 16 * MB, onTrouble() {} })
  const store = createStore(database)
  const append = () => store.messages.append([newMessage(id, { limitBytes: 1e9 })])
  await expect(append()).rejects.toMatchObject({ code: 'disk_full' })
  await store.messages.remove(id, message.id)
  await vi.waitFor(async () => expect(await append()).toEqual(['stored']), PATIENCE)
  await database.close()
  await rm(directory, { recursive: true })
})

import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { createStore } from '../../store.ts'
import { openIn, temporaryDirectory } from './fixtures.ts'
import { createReserve, neededBytes } from './reserve.ts'

let directory: string
beforeAll(async () => {
  directory = await temporaryDirectory()
})
afterAll(() => rm(directory, { recursive: true }))

test('reports once that space is short, and once that there is room again', async () => {
  const reports: string[] = []
  const limits = { bytes: 0 }
  const ensureRoom = createReserve(directory, () => limits.bytes, {
    start: (error) => void reports.push(((error as Error).cause as Error).message),
    end: () => void reports.push('end'),
  })
  await ensureRoom()
  limits.bytes = Number.MAX_SAFE_INTEGER
  await expect(ensureRoom()).rejects.toMatchObject({ code: 'disk_full' })
  await expect(ensureRoom()).rejects.toMatchObject({ code: 'disk_full' })
  expect(reports).toEqual([
    expect.stringMatching(new RegExp(`^${directory} has \\d+ bytes free; ${Number.MAX_SAFE_INTEGER} must stay free$`)),
  ])
  limits.bytes = 0
  await ensureRoom()
  await ensureRoom()
  expect(reports.slice(1)).toEqual(['end'])
})

test('a store on a disk without the reserve says so when it opens', async () => {
  const onTrouble = vi.fn<(message: string, error: unknown) => void>()
  const onRecovery = vi.fn<(message: string) => void>()
  const database = await openIn(directory, { reserveBytes: Number.MAX_SAFE_INTEGER - 2 ** 40, onTrouble, onRecovery })
  const expected = [['Too little disk space: no message is accepted', expect.any(MayflyError)]]
  await vi.waitFor(() => expect(onTrouble.mock.calls).toEqual(expected))
  await expect(createStore(database).check()).rejects.toMatchObject({ code: 'disk_full' })
  expect([onTrouble.mock.calls, onRecovery.mock.calls]).toEqual([expected, []])
  await database.close()
})

test.each([
  { reserve: 8192, pages: 0, free: 0, needed: 8192 },
  { reserve: 8192, pages: 3, free: 0, needed: 8192 + 3 * 4096 },
  { reserve: 8192, pages: 3, free: 2, needed: 8192 + 4096 },
  { reserve: 8192, pages: 3, free: 4, needed: 4096 },
  { reserve: 8192, pages: 0, free: 1000, needed: 4096 },
])('needs $needed bytes for a log of $pages pages beside $free free ones', ({ reserve, needed, ...pages }) => {
  expect(neededBytes(reserve, pages)).toBe(needed)
})

import { afterEach, expect, test, vi } from 'vitest'
import { problemOf } from '../api/api.ts'
import { fileLoader } from './load-file.ts'

afterEach(() => vi.unstubAllGlobals())

test('a file that cannot be loaded is reported as no connection, and loaded by the next call', async () => {
  const load = vi.fn(async () => 'file').mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const loadFile = fileLoader(load)
  expect(problemOf(await loadFile().catch((error: unknown) => error))).toEqual({ code: 'offline' })
  expect(await loadFile()).toBe('file')
})

test('without a connection only a file that is there is returned', async () => {
  const load = vi.fn(async () => 'file')
  const loadFile = fileLoader(load)
  vi.stubGlobal('navigator', { onLine: false })
  expect(problemOf(await loadFile().catch((error: unknown) => error))).toEqual({ code: 'offline' })
  expect(load).not.toHaveBeenCalled()
  vi.stubGlobal('navigator', { onLine: true })
  await loadFile()
  vi.stubGlobal('navigator', { onLine: false })
  expect(await loadFile()).toBe('file')
})

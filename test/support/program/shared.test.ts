import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isShared, sharedProgram } from './shared.ts'

test('a program with data of its own is not the shared one, even if both are in the directory of the test run', async () => {
  expect(isShared(await sharedProgram())).toBe(true)
  expect(isShared({ dataDir: join(tmpdir(), 'mayfly-own') })).toBe(false)
})

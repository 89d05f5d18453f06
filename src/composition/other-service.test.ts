import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { outboxWarning } from './other-service.ts'

const directory = mkdtempSync(join(tmpdir(), 'mayfly-'))
afterAll(() => rmSync(directory, { recursive: true }))
// Nobody can create a directory in a file, not even root.
const file = join(directory, 'file')
writeFileSync(file, '')
const unwritable = join(file, 'data')

const POSTGRES = { MAYFLY_DATABASE_URL: 'postgres://mayfly@localhost/mayfly' }
const RELAY = { MAYFLY_OUTBOUND_URL: 'smtp://relay.example' }

test('warns if emails go into a directory that cannot be written', async () => {
  expect(await outboxWarning(loadConfig({ ...POSTGRES, MAYFLY_DATA_DIR: unwritable }))).toContain(
    `MAYFLY_DATA_DIR is "${unwritable}", which cannot be written (ENOTDIR)`,
  )
})

test.each([
  ['it can be written', { ...POSTGRES, MAYFLY_DATA_DIR: directory }],
  ['a relay sends them', { ...POSTGRES, ...RELAY, MAYFLY_DATA_DIR: unwritable }],
  ['SQLite needs it, so the start fails', { MAYFLY_DATA_DIR: unwritable }],
])('warns of nothing if %s', async (_, env: Record<string, string>) => {
  expect(await outboxWarning(loadConfig(env))).toBeUndefined()
})

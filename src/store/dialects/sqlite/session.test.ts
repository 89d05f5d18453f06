import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryDirectory } from './fixtures.ts'
import { identityAt } from './in-place.ts'
import { openSession } from './session.ts'

let directory: string
beforeEach(async () => void (directory = await temporaryDirectory()))
afterEach(() => rmSync(directory, { recursive: true }))

const BUSY_TIMEOUT = 300

test('waits as long as the timeout while another process has locked a new database', () => {
  const path = join(directory, 'mayfly.db')
  const other = new DatabaseSync(path)
  other.exec('begin exclusive')
  const options = { path, identity: identityAt(path), busyTimeout: BUSY_TIMEOUT, cacheBytes: 0, statementsKept: 1 }
  const before = performance.now()
  expect(() => openSession({ ...options, readOnly: false })).toThrow('database is locked')
  expect(performance.now() - before).toBeGreaterThanOrEqual(BUSY_TIMEOUT)
  other.exec('commit')
  openSession({ ...options, readOnly: false }).close()
  other.close()
})

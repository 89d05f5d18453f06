import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { emptySqlite } from '#test/support/program/databases.ts'
import { copyMigrated } from '#test/support/program/stores.ts'
import { openStore } from '../../store.ts'
import { storeContract } from '../../suite/store.suite.ts'
import { logger, temporaryDirectory } from './fixtures.ts'

let directory = ''
afterAll(() => rm(directory, { recursive: true, force: true }))

storeContract(
  'SQLite',
  async () => {
    directory = await temporaryDirectory()
    await copyMigrated(directory)
    return openStore({ directory, logger })
  },
  () => emptySqlite(directory),
)

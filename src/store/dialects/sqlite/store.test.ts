import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { DATABASE_FILE } from '#core/store.ts'
import { emptySqlite } from '#test/support/program/databases.ts'
import { openStore } from '../../store.ts'
import { storeContract } from '../../suite/store.suite.ts'
import { logger, temporaryDirectory } from './fixtures.ts'

let directory = ''
afterAll(() => rm(directory, { recursive: true, force: true }))

storeContract(
  'SQLite',
  async () => {
    directory = await temporaryDirectory()
    await copyFile(inject('migratedFile'), join(directory, DATABASE_FILE))
    return openStore({ directory, logger })
  },
  () => emptySqlite(directory),
)

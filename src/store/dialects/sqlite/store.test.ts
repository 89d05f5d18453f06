import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { DATABASE_FILE } from '#core/store.ts'
import { openStore } from '../../store.ts'
import { storeContract } from '../../suite/store.suite.ts'
import { logger, temporaryDirectory } from './fixtures.ts'

const directories: string[] = []
afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true, force: true }))))

storeContract('SQLite', async () => {
  const directory = await temporaryDirectory()
  directories.push(directory)
  await copyFile(inject('migratedFile'), join(directory, DATABASE_FILE))
  return openStore({ directory, logger })
})

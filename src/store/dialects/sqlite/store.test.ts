import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { openStore } from '../../store.ts'
import { storeContract } from '../../suite/store.suite.ts'
import { logger, temporaryDirectory } from './fixtures.ts'

const directories: string[] = []
afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true, force: true }))))

storeContract('SQLite', async () => {
  const directory = await temporaryDirectory()
  directories.push(directory)
  return openStore({ directory, logger })
})

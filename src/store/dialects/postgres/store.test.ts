import { afterEach } from 'vitest'
import { type BorrowedDatabase, borrowDatabase } from '#test/support/program/databases.ts'
import { createStore } from '../../store.ts'
import { storeContract } from '../../suite/store.suite.ts'
import { openPostgres } from './open.ts'
import { defaults } from './testing.ts'

const borrowed: BorrowedDatabase[] = []
afterEach(async () => {
  for (const database of borrowed.splice(0)) await database.release()
})

storeContract('PostgreSQL', async () => {
  const database = await borrowDatabase()
  borrowed.push(database)
  return createStore(await openPostgres({ ...defaults, url: database.url }))
})

import { afterAll } from 'vitest'
import { type BorrowedDatabase, borrowDatabase, emptyPostgres } from '#test/support/program/databases.ts'
import { createStore } from '../../store.ts'
import { storeContract } from '../../suite/store.suite.ts'
import { openPostgres } from './open.ts'
import { defaults, rechecked } from './testing.ts'

let database: BorrowedDatabase
afterAll(() => database.release())

storeContract(
  'PostgreSQL',
  async () => {
    database = await borrowDatabase()
    return createStore(rechecked(await openPostgres({ ...defaults, url: database.url })))
  },
  () => emptyPostgres(database.url),
)

import { afterAll, inject } from 'vitest'
import { newDatabase } from '#test/postgres.ts'
import { storeContract } from '../../contract.suite.ts'
import { createStore } from '../../store.ts'
import { defaults } from './testing.ts'
import { openPostgres } from './open.ts'

const drops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(drops.map((drop) => drop())))

storeContract('PostgreSQL', async () => {
  const { url, drop } = await newDatabase(inject('postgres'))
  drops.push(drop)
  return createStore(await openPostgres({ ...defaults, url }))
})

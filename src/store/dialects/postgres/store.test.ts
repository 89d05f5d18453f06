import { afterAll, inject } from 'vitest'
import { newDatabase } from '#test/support/program/postgres.ts'
import { createStore } from '../../store.ts'
import { storeContract } from '../../suite/store.suite.ts'
import { openPostgres } from './open.ts'
import { defaults } from './testing.ts'

const drops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(drops.map((drop) => drop())))

storeContract('PostgreSQL', async () => {
  const { url, drop } = await newDatabase(inject('postgres'))
  drops.push(drop)
  return createStore(await openPostgres({ ...defaults, url }))
})

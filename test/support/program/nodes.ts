import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Store } from '#core/store.ts'
import { createWrap, type Wrap } from '#mail/sealing/wrap.ts'
import { defaults } from '#store/dialects/postgres/testing.ts'
import { openStore } from '#store/store.ts'
import { type SiteClient, siteClient, signedIn, subscribe } from '../fixtures/subscriber.ts'
import { newDatabase } from './postgres.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from './program.ts'

export const HOUSES = ['one node', 'two nodes'] as const

/** The service as one node on SQLite, or as two nodes on PostgreSQL with one outbox. */
export interface Nodes {
  here: Program
  /** The second node, if there are two. */
  there: Program
  /** Creates a subscriber with a signed-in browser. */
  subscriber(): Promise<{ client: SiteClient; email: string; id: string }>
  /** The same browser at the other node. */
  at(program: Program, client: SiteClient): SiteClient
  /** Another browser of this subscriber. */
  signedIn(email: string): Promise<SiteClient>
  /** Another process that uses the database. */
  withStore<T>(use: (store: Store, wrap: Wrap) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

export async function openNodes(fixture: (typeof HOUSES)[number], env: Record<string, string> = {}): Promise<Nodes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-nodes-'))
  const serviceKey = randomBytes(32)
  const database = fixture === 'two nodes' ? await newDatabase(inject('postgres')) : undefined
  const all = {
    ...WITHOUT_LIMITS,
    MAYFLY_SIGN_IN_LINKS_MAX: '100',
    MAYFLY_SECRET_KEY: serviceKey.toString('hex'),
    ...(database && { MAYFLY_DATABASE_URL: database.url }),
    ...env,
  }
  const here = await startProgram({ env: all, dataDir })
  const there = database ? await startProgram({ env: all, dataDir }) : here
  const wrap = createWrap(serviceKey)

  const withStore: Nodes['withStore'] = async (use) => {
    const say = (fields: object, message: string) => console.error(message, fields)
    const logger = { error: say, warn: say, info() {} }
    const postgres = database && { ...defaults, url: database.url }
    const store = await openStore({ directory: dataDir, logger, postgres })
    try {
      return await use(store, wrap)
    } finally {
      await store.close()
    }
  }

  return {
    here,
    there,
    withStore,
    signedIn: (email) => signedIn(here, email),
    async subscriber() {
      const email = `${randomBytes(8).toString('hex')}@real.example`
      const { id } = await withStore((store) => subscribe(store, wrap, email))
      return { client: await signedIn(here, email), email, id }
    },
    at(program, { cookies }) {
      const client = siteClient(program)
      for (const [name, value] of cookies) client.cookies.set(name, value)
      return client
    },
    async stop() {
      await Promise.all([...new Set([here, there])].map((node) => node.stop()))
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresServer, runSql } from '#test/support/program/postgres.ts'
import { createStore } from '../../store.ts'
import { claimed, newMessage, NOW } from '../../suite/fixtures.ts'
import { isAnswer } from './errors.ts'
import { openPostgres } from './open.ts'
import { defaults } from './testing.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start({ settings: { synchronous_commit: 'on' } })
})
afterAll(() => server.remove())

/** Starts the server again, as the primary or as a standby. */
async function restart(role: 'primary' | 'standby'): Promise<void> {
  const signal = join(server.data, 'standby.signal')
  await server.stop()
  await (role === 'standby' ? writeFile(signal, '') : rm(signal))
  await server.launch()
}

const sessions = async (): Promise<unknown> =>
  (await runSql(server.url(), "select 1 from pg_stat_activity where application_name like 'mayfly %'")).length

test('a standby that has the address of the primary for a while is neither read nor kept', async () => {
  const database = await openPostgres({ ...defaults, url: server.url(), onTrouble() {} })
  const store = createStore(database)
  const { id } = await claimed(store)
  await store.check()

  await restart('standby')
  const uses = [store.check(), store.addresses.find(id, NOW), store.addresses.extend(id, NOW, NOW, NOW)]
  const outcomes = await Promise.allSettled(uses)
  expect(outcomes.map((each) => each.status === 'rejected' && (each.reason as { code: string }).code)).toEqual([
    'store_unavailable',
    'store_unavailable',
    'store_unavailable',
  ])
  expect(await store.isLeader()).toBe(false)
  await expect.poll(sessions).toBe(0)
  await expect(openPostgres({ ...defaults, url: server.url() })).rejects.toThrow(/opened: the server is a standby/)

  await restart('primary')
  await store.check()
  expect((await store.addresses.find(id, NOW))?.id).toBe(id)
  await database.close()
})

test('commits that wait for a missing standby do not use up the connections of the server', async () => {
  const database = await openPostgres({ ...defaults, url: server.url(), statementTimeout: 1000, onTrouble() {} })
  const store = createStore(database)
  const [{ id }, other] = await Promise.all([claimed(store), claimed(store)])
  const setStandby = async (name: string): Promise<void> => {
    await runSql(server.url(), `alter system set synchronous_standby_names = '${name}'`)
    await runSql(server.url(), 'select pg_reload_conf()')
    await expect
      .poll(() => runSql(server.url(), 'show synchronous_standby_names'))
      .toEqual([{ synchronous_standby_names: name }])
  }
  const waiting = async (): Promise<number> =>
    (await runSql(server.url(), "select 1 from pg_stat_activity where wait_event = 'SyncRep'")).length
  await setStandby('missing')
  try {
    // The first message of an hour also makes partitions.
    const changes = [store.addresses.extend(other.id, NOW + 1, NOW + 1, NOW), store.messages.append([newMessage(id)])]
    const answers = changes.map((each) => each.then(String, ({ code }: { code: string }) => code))
    // On a busy machine, one may have ended before the other waits.
    await expect.poll(waiting).toBeGreaterThan(0)
    expect(await Promise.all(answers)).toEqual(['store_unavailable', 'store_unavailable'])
    await expect.poll(waiting).toBe(0)
  } finally {
    // Otherwise every further commit would wait, also in a second try.
    await setStandby('')
  }
  await database.close()
})

test('a node is not healthy if its readers do not see what it writes', async () => {
  const database = await openPostgres({ ...defaults, url: server.url() })
  await createStore(database).check()
  const old = await database.snapshot([database.read.selectFrom('health').select('checks').compile()])
  const stale = { ...database, snapshot: (() => Promise.resolve(old)) as never }
  await expect(createStore(stale).check()).rejects.toMatchObject({ code: 'store_unavailable' })
  await createStore(database).check()
  await database.close()
})

test.each([
  [{ severity: 'ERROR', code: '23505' }, true],
  [{ severity: 'ERROR', code: '25006' }, false],
  [{ severity: 'FATAL', code: '28000' }, false],
  [{ severity: 'ERROR', code: '57P01' }, false],
  [{ code: 'ECONNRESET' }, false],
])('a connection that reported %j is used again: %s', (error, expected) => expect(isAnswer(error)).toBe(expected))

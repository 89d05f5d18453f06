import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { newDatabase } from '#test/support/program/postgres.ts'
import { openBaseStore } from './store.ts'

const directory = mkdtempSync(join(tmpdir(), 'mayfly-assembly-'))
const inside = (name: string): string => join(directory, name)
const logger = { debug() {}, info() {}, warn() {}, error() {} }
let database: Awaited<ReturnType<typeof newDatabase>>

beforeAll(async () => {
  database = await newDatabase(inject('postgres'))
})
afterAll(async () => {
  await database.drop()
  rmSync(directory, { recursive: true })
})

const start = async (env: Record<string, string>, mustExist = false): Promise<Uint8Array> => {
  const { opened, key } = await openBaseStore(loadConfig(env), logger, { mustExist })
  await opened.close()
  return key
}
const command = (env: Record<string, string>) => start(env, true)

test.each([
  ['SQLite', () => ({ MAYFLY_DATA_DIR: inside('data') })],
  ['PostgreSQL', () => ({ MAYFLY_DATABASE_URL: database.url, MAYFLY_DATA_DIR: inside('unused') })],
])('on %s the first start makes the key file, and no later one makes another', async (engine, settings) => {
  const [file, other] = [inside(`${engine}.key`), inside(`${engine}-other.key`)]
  const key = await start({ ...settings(), MAYFLY_SECRET_KEY_FILE: file })
  expect(await start({ ...settings(), MAYFLY_SECRET_KEY_FILE: file })).toEqual(key)
  await expect(start({ ...settings(), MAYFLY_SECRET_KEY_FILE: other })).rejects.toThrow(/-other\.key.* is missing/)
  expect(existsSync(other)).toBe(false)
  expect(existsSync(inside('data/secret.key'))).toBe(false)
  expect(await start({ ...settings(), MAYFLY_SECRET_KEY_FILE: file })).toEqual(key)
})

describe('where a database must exist', () => {
  const KEY = 'ab'.repeat(32)

  test('a missing directory, or one without a database, is left as it is', async () => {
    mkdirSync(inside('empty'))
    for (const name of ['empty', 'missing'])
      await expect(command({ MAYFLY_DATA_DIR: inside(name) })).rejects.toThrow(
        `There is no database in ${inside(name)}. Run mayfly start once`,
      )
    expect([readdirSync(inside('empty')), existsSync(inside('missing'))]).toEqual([[], false])
  })

  test('a file without tables gets none and no key', async () => {
    mkdirSync(inside('file'))
    writeFileSync(inside('file/mayfly.db'), '')
    const settings = { MAYFLY_DATA_DIR: inside('file') }
    await expect(command(settings)).rejects.toThrow(/secret\.key is missing/)
    const given = { ...settings, MAYFLY_SECRET_KEY: KEY }
    for (let i = 0; i < 2; i++) await expect(command(given)).rejects.toThrow(/no tables of Mayfly.*mayfly start/)
    expect(existsSync(inside('file/secret.key'))).toBe(false)
    await start(given)
    expect(await command(given)).toEqual(Buffer.from(KEY, 'hex'))
  })

  test('a database of PostgreSQL gets no tables and no key, also if another program uses it', async () => {
    const other = await newDatabase(inject('postgres'))
    const client = new Client(other.url)
    await client.connect()
    try {
      const tables = async () => {
        const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'")
        return rows.map(({ tablename }) => tablename as string)
      }
      const settings = { MAYFLY_DATABASE_URL: other.url, MAYFLY_DATA_DIR: inside('beside') }
      const given = { ...settings, MAYFLY_SECRET_KEY: KEY }
      await expect(command(settings)).rejects.toThrow(/secret\.key is missing/)
      await expect(command(given)).rejects.toThrow(/MAYFLY_DATABASE_URL.*no tables of Mayfly.*mayfly start/)
      expect([await tables(), existsSync(inside('beside'))]).toEqual([[], false])
      await client.query('create table kysely_migration (name text primary key, timestamp text)')
      await client.query("insert into kysely_migration values ('001-of-another-program', 'now')")
      await expect(command(given)).rejects.toThrow(/no tables of Mayfly/)
      expect(await tables()).toEqual(['kysely_migration'])
      await client.query('drop table kysely_migration')
      await start(given)
      expect(await command(given)).toEqual(Buffer.from(KEY, 'hex'))
      await expect(command(settings)).rejects.toThrow(/secret\.key is missing/)
      expect(existsSync(inside('beside'))).toBe(false)
    } finally {
      await client.end()
      await other.drop()
    }
  })
})

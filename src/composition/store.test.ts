import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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

const start = async (env: Record<string, string>): Promise<Uint8Array> => {
  const { opened, key } = await openBaseStore(loadConfig(env), logger)
  await opened.close()
  return key
}

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

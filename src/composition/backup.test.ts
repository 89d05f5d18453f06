import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { METADATA } from '#core/store.ts'
import { fingerprintOf } from '#features/operating/service-key.ts'
import { defaults } from '#store/dialects/sqlite/fixtures.ts'
import { openSqlite } from '#store/dialects/sqlite/open.ts'
import { createStore } from '#store/store.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { backup, restore } from './backup.ts'

const root = mkdtempSync(join(tmpdir(), 'mayfly-backup-'))
const inside = (name: string): string => join(root, name)
const KEY = randomBytes(32)
const settings = (directory: string, env: Record<string, string> = {}) =>
  loadConfig({ MAYFLY_DATA_DIR: inside(directory), MAYFLY_SECRET_KEY: KEY.toString('hex'), ...env })
/** All files below the root, with their sizes and modification times. */
const filesNow = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, size: statSync(path).size, changed: statSync(path).mtimeMs }))
    .toSorted((a, b) => a.path.localeCompare(b.path))

/** A closed database in a directory of this name, of this version or an older one. */
async function makeDatabase(directory: string, until?: string): Promise<void> {
  mkdirSync(inside(directory), { recursive: true })
  const database = await openSqlite({ file: inside(`${directory}/mayfly.db`), ...defaults, until })
  // Until migration 010 the table was named `facts`.
  const table = until === undefined ? 'metadata' : 'facts'
  await sql`insert into ${sql.table(table)} (name, value) values (${METADATA.serviceKey}, ${fingerprintOf(KEY)})`.execute(
    database.write,
  )
  await database.close()
}

/** Changes a copy of the good backup. */
function changed(name: string, change: (path: string) => void): string {
  copyFileSync(inside('good.db'), inside(name))
  change(inside(name))
  return inside(name)
}
const withSql = (name: string, statement: string) =>
  changed(name, (path) => {
    const db = new DatabaseSync(path)
    db.exec(statement)
    db.close()
  })

beforeAll(async () => {
  await makeDatabase('data')
  await backup(settings('data'), inside('good.db'))
})
afterAll(() => rmSync(root, { recursive: true }))

/** Expects this one-line error, and that no file was created, changed or removed. */
async function expectRefusal(attempt: () => Promise<unknown>, says: RegExp): Promise<void> {
  const before = filesNow()
  const error = await attempt().catch((each: unknown) => each)
  expect(error).toBeInstanceOf(Error)
  const { message } = error as Error
  expect(message).toMatch(says)
  expect(message).not.toContain('\n')
  expect(message).not.toContain(KEY.toString('hex'))
  expect(filesNow()).toEqual(before)
}

describe('a backup', () => {
  test('is one file for its owner only, and reports its content and where the key is', async () => {
    const done = await backup(settings('data'), inside('one.db'))
    expect(done).toMatchObject({ addresses: 0, messages: 0, keyPlace: 'MAYFLY_SECRET_KEY' })
    expect(done.bytes).toBe(statSync(inside('one.db')).size)
    expect(statSync(inside('one.db')).mode & 0o777).toBe(0o600)
    expect(readdirSync(root).filter((name) => name.startsWith('one.db'))).toEqual(['one.db'])
  })

  test('is not migrated: the next start does that', async () => {
    await makeDatabase('old', '003-premium')
    await backup(settings('old'), inside('old.db'))
    const db = new DatabaseSync(inside('old.db'), { readOnly: true })
    expect(db.prepare('select max(name) as last from kysely_migration').get()).toEqual({ last: '003-premium' })
    db.close()
  })

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['onto a file that is there', () => backup(settings('data'), inside('good.db')), /good\.db already exists/],
    ['onto a directory', () => backup(settings('data'), inside('data')), /data already exists/],
    ['into no directory', () => backup(settings('data'), inside('none/a.db')), /none\/a\.db, which does not exist/],
    [
      'below a file',
      () => backup(settings('data'), inside('good.db/a.db')),
      /good\.db\/a\.db, which is not a directory/,
    ],
    ['of no database', () => backup(settings('none'), inside('a.db')), /MAYFLY_DATA_DIR .* no mayfly\.db/],
    [
      'without the key',
      () => backup(settings('data', { MAYFLY_SECRET_KEY: '' }), inside('a.db')),
      /secret\.key is missing/,
    ],
    [
      'with another key',
      () => backup(settings('data', { MAYFLY_SECRET_KEY: 'ab'.repeat(32) }), inside('a.db')),
      /another service key/,
    ],
    [
      'where the disk is needed for the service',
      () => {
        const config = settings('data')
        return backup({ ...config, storage: { ...config.storage, reserveBytes: 2 ** 60 } }, inside('a.db'))
      },
      /not enough free space/,
    ],
    [
      'of PostgreSQL',
      () => backup(settings('data', { MAYFLY_DATABASE_URL: 'postgres://h/d' }), inside('a.db')),
      /MAYFLY_DATABASE_URL .* pg_dump, as docs\/operating\/backup\.md/,
    ],
  ])('%s is refused in one line, and leaves nothing', (_what, attempt, says) => expectRefusal(attempt, says))
})

describe('a restore', () => {
  test('creates a directory with the backup, for its owner only', async () => {
    const done = await restore(settings('new/data'), inside('good.db'))
    expect(done).toEqual({ bytes: statSync(inside('good.db')).size, addresses: 0, messages: 0 })
    expect(readdirSync(inside('new/data')).toSorted()).toEqual(['mayfly.db', 'service.lock'])
    expect(readFileSync(inside('new/data/mayfly.db'))).toEqual(readFileSync(inside('good.db')))
    expect(statSync(inside('new/data/mayfly.db')).mode & 0o777).toBe(0o600)
    expect(statSync(inside('new/data')).mode & 0o777).toBe(0o700)
  })

  test('accepts a file that others may read and nobody may write, and removes the remains of an interrupted restore', async () => {
    mkdirSync(inside('again'))
    for (const end of ['', '-journal']) writeFileSync(inside(`again/mayfly.db.0123abcd.part${end}`), 'half')
    await restore(
      settings('again'),
      changed('shared.db', (path) => chmodSync(path, 0o444)),
    )
    expect(readdirSync(inside('again')).toSorted()).toEqual(['mayfly.db', 'service.lock'])
    expect(statSync(inside('again/mayfly.db')).mode & 0o777).toBe(0o600)
  })

  test('of an older version is migrated by the next start', async () => {
    await makeDatabase('older', '003-premium')
    await backup(settings('older'), inside('older.db'))
    await restore(settings('newer'), inside('older.db'))
    const database = await openSqlite({ file: inside('newer/mayfly.db'), ...defaults })
    await createStore(database).check()
    expect(await createStore(database).ensureMetadata(METADATA.serviceKey, 'none')).toBe(fingerprintOf(KEY))
    await database.close()
  })

  test('is refused while a process uses the directory, even if the database was moved away', async () => {
    await makeDatabase('used')
    const database = await openSqlite({ file: inside('used/mayfly.db'), ...defaults, onTrouble() {}, onRecovery() {} })
    // The process empties its WAL soon after the start, which changes the files.
    const walSize = () => statSync(inside('used/mayfly.db-wal'), { throwIfNoEntry: false })?.size ?? 0
    await vi.waitFor(() => expect(walSize()).toBe(0), PATIENCE)
    const attempt = () => restore(settings('used'), inside('good.db'))
    await expectRefusal(attempt, /Mayfly uses MAYFLY_DATA_DIR .*stop it/)
    const names = readdirSync(inside('used')).filter((name) => name.startsWith('mayfly.db'))
    mkdirSync(inside('aside'))
    for (const name of names) renameSync(inside(`used/${name}`), inside(`aside/${name}`))
    await expectRefusal(attempt, /Mayfly uses MAYFLY_DATA_DIR .*stop it/)
    for (const name of names) renameSync(inside(`aside/${name}`), inside(`used/${name}`))
    await database.close()
  })

  test.each(['', '-wal', '-shm', '-journal'])('is refused if mayfly.db%s already exists', async (end) => {
    mkdirSync(inside(`taken${end}`))
    for (const name of ['service.lock', `mayfly.db${end}`]) writeFileSync(inside(`taken${end}/${name}`), '')
    const attempt = () => restore(settings(`taken${end}`), inside('good.db'))
    await expectRefusal(attempt, new RegExp(`already has a database; move mayfly\\.db${end} away`))
  })

  const into = (directory: string, file: () => string, env: Record<string, string> = {}) => {
    return () => restore(settings(directory, env), file())
  }
  const files: [string, () => string, RegExp][] = [
    ['nothing', () => inside('nothing.db'), /There is no file .*nothing\.db/],
    ['a directory', () => inside('data'), /cannot be read from .*data, which is a directory/],
    ['an empty file', () => inside('empty.db'), /not a backup .* no SQLite database/],
    ['a pipe', () => inside('pipe'), /not a backup .* a device or a pipe/],
    ['a text', () => join(import.meta.dirname, 'app.ts'), /not a backup .* no SQLite database/],
    ['a copy of mayfly.db', () => inside('plain.db'), /not a backup .* plain copy of mayfly\.db/],
    ['another database', () => inside('other.db'), /not a backup .* no table/],
    ['half a backup', () => inside('half.db'), /half\.db is damaged/],
    ['a damaged backup', () => inside('broken.db'), /broken\.db is damaged/],
    ['a backup of a newer version', () => inside('future.db'), /newer version of Mayfly .*998-later/],
  ]
  beforeAll(() => {
    execFileSync('mkfifo', [inside('pipe')])
    changed('empty.db', (path) => writeFileSync(path, ''))
    changed('plain.db', (path) => copyFileSync(inside('data/mayfly.db'), path))
    changed('other.db', (path) => rmSync(path))
    new DatabaseSync(inside('other.db')).exec('create table a (b); insert into a values (1)')
    changed('half.db', (path) => writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2)))
    changed('broken.db', (path) => writeFileSync(path, readFileSync(path).fill(0xa5, statSync(path).size - 8192)))
    withSql('future.db', "insert into kysely_migration values ('998-later', '2030-01-01')")
  })
  test.each(files)('of %s is refused with one line and changes nothing', async (_what, file, says) => {
    await expectRefusal(into('nowhere', file), says)
    expect(existsSync(inside('nowhere/mayfly.db'))).toBe(false)
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['without the key', { MAYFLY_SECRET_KEY: '' }, /secret\.key is missing/],
    ['with another key', { MAYFLY_SECRET_KEY: 'ab'.repeat(32) }, /good\.db belongs to another service key/],
    ['into PostgreSQL', { MAYFLY_DATABASE_URL: 'postgres://h/d' }, /pg_restore, as docs\/operating\/backup\.md/],
    ['below a file', { MAYFLY_DATA_DIR: inside('good.db/data') }, /MAYFLY_DATA_DIR .*not a directory/],
  ])('%s is refused in one line, and changes nothing', (_what, env, says) =>
    expectRefusal(
      into('nobody', () => inside('good.db'), env),
      says,
    ),
  )
})

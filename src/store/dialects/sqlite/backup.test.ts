import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { MIGRATIONS } from '../../migrate.ts'
import { createStore } from '../../store.ts'
import { claimed, newMessage, NOW } from '../../suite/fixtures.ts'
import { copyInThread, inspectInThread } from './backup.ts'
import { openIn, openTemporary, removeDatabase } from './fixtures.ts'
import { kindOf } from './inspect.ts'
import type { SqliteDatabase } from './open.ts'
import { lockRunning, lockUse } from './use-lock.ts'

const keyFingerprint = { name: 'service-key', value: 'print' }
let directory: string
let database: SqliteDatabase
let store: Store
let copy: string

beforeEach(async () => {
  ;({ directory, database, store } = await openTemporary())
  await store.ensureMetadata(keyFingerprint.name, keyFingerprint.value)
  mkdirSync(join(directory, 'copies'))
  copy = join(directory, 'copies/copy.db')
  writeFileSync(copy, '')
})
afterEach(() => removeDatabase(database, directory))

const options = () => ({
  from: join(directory, 'mayfly.db'),
  to: copy,
  keyFingerprint,
  keepFree: 0,
  now: NOW,
  busyTimeout: 5000,
})
const look = (thorough: boolean) => inspectInThread(copy, { now: NOW, thorough })
const large = (id: string) => newMessage(id, { sealedBody: randomBytes(50_000), limitBytes: 1e10 })

describe('a copy', () => {
  test('is a snapshot with everything stored before it began, although writes continue', async () => {
    const { id } = await claimed(store)
    const before = Array.from({ length: 400 }, () => large(id))
    await store.messages.append(before)
    // This message is only in the WAL.
    expect(statSync(join(directory, 'mayfly.db-wal')).size).toBeGreaterThan(20_000_000)
    let copying = true
    let meanwhile = 0
    const copied = copyInThread(options()).finally(() => (copying = false))
    // A copy that started again with each write would not complete before the writes end.
    const most = 4000
    while (copying && meanwhile < most) {
      expect(await store.messages.append([large(id), large(id)])).toEqual(['stored', 'stored'])
      meanwhile += 2
    }
    expect(await copied).toMatchObject({ addresses: 1, metadata: { 'service-key': 'print' }, migrations: MIGRATIONS })
    expect(meanwhile).toBeGreaterThan(0)
    expect(meanwhile).toBeLessThan(most)
    const { messages } = await copied
    // Messages are stored in pairs, so their number is always even.
    expect(messages).toBeGreaterThanOrEqual(400)
    expect(messages % 2).toBe(0)
    expect(readdirSync(join(directory, 'copies'))).toEqual(['copy.db'])
    expect(kindOf(copy)).toBe('complete')
    expect(kindOf(join(directory, 'mayfly.db'))).toBe('with-log')

    // The copy is a usable database.
    mkdirSync(join(directory, 'restored'))
    writeFileSync(join(directory, 'restored/mayfly.db'), readFileSync(copy))
    const restored = await openIn(join(directory, 'restored'))
    const again = createStore(restored)
    expect((await again.stats(NOW)).messages).toBe(messages)
    for (const each of before) {
      const body = await again.messages.body(each)
      // `toEqual` would take four seconds for all bodies.
      expect(body && Buffer.compare(body, each.sealedBody)).toBe(0)
    }
    expect(await again.messages.append([large(id)])).toEqual(['stored'])
    const [vacuum] = await restored.threads.writer.run('direct', [{ sql: 'pragma auto_vacuum', parameters: [] }])
    expect(vacuum).toEqual([{ auto_vacuum: 2 }])
    await restored.close()
  })

  test('leaves the files of a closed store unchanged', async () => {
    const { id } = await claimed(store)
    await store.messages.append([newMessage(id)])
    await database.close()
    const files = readdirSync(directory)
    expect((await copyInThread(options())).messages).toBe(1)
    expect(readdirSync(directory)).toEqual(files)
    database = await openIn(directory)
  })

  test('contains the data in the WAL of a killed process', async () => {
    const { id } = await claimed(store)
    await store.messages.append([newMessage(id)])
    const killed = join(directory, 'killed')
    mkdirSync(killed)
    for (const end of ['', '-wal']) {
      const name = `mayfly.db${end}`
      writeFileSync(join(killed, name), readFileSync(join(directory, name)))
    }
    expect((await copyInThread({ ...options(), from: join(killed, 'mayfly.db') })).messages).toBe(1)
  })

  test('counts live addresses and messages', async () => {
    const { id } = await claimed(store, { expiresAt: NOW + 3 * DAY })
    await store.messages.append([newMessage(id), newMessage(id, { expiresAt: NOW + 2 * DAY })])
    await claimed(store)
    expect(await copyInThread({ ...options(), now: NOW + DAY + DAY / 2 })).toMatchObject({ addresses: 1, messages: 1 })
  })

  test('rejects a database of another service key', () =>
    expect(
      copyInThread({ ...options(), keyFingerprint: { name: 'service-key', value: 'other' } }),
    ).rejects.toMatchObject({
      fault: 'other-key',
    }))

  test('rejects if too little disk space would remain', () =>
    expect(copyInThread({ ...options(), keepFree: 2 ** 60 })).rejects.toMatchObject({ fault: 'full' }))

  test('rejects a database of another application', async () => {
    const other = join(directory, 'other.db')
    new DatabaseSync(other).exec('create table a (b); insert into a values (1)')
    await expect(copyInThread({ ...options(), from: other })).rejects.toMatchObject({ fault: 'foreign' })
    writeFileSync(other, 'no database at all'.repeat(100))
    await expect(copyInThread({ ...options(), from: other })).rejects.toMatchObject({ fault: 'damaged' })
  })
})

describe('a damaged file', () => {
  beforeEach(async () => {
    const { id } = await claimed(store)
    await store.messages.append(Array.from({ length: 200 }, () => newMessage(id, { sealedBody: randomBytes(3000) })))
    await copyInThread(options())
  })

  test('is detected, whichever page is damaged', async () => {
    const whole = readFileSync(copy)
    await look(true)
    for (const share of [0.25, 0.5, 0.75]) {
      const page = Math.floor((whole.length / 4096) * share)
      const broken = Buffer.from(whole)
      broken.fill(0xa5, page * 4096, page * 4096 + 4096)
      writeFileSync(copy, broken)
      await expect(look(true)).rejects.toMatchObject({ fault: 'damaged' })
    }
  })

  test('is detected if it is truncated', async () => {
    truncateSync(copy, Math.floor(statSync(copy).size / 2 / 4096) * 4096)
    await expect(look(true)).rejects.toMatchObject({ fault: 'damaged' })
    truncateSync(copy, 50)
    expect(kindOf(copy)).toBe('other')
  })
})

describe('the lock of a data directory', () => {
  test('is shared by processes that use the database, and exclusive for a restore', () => {
    const take = (kind: 'shared' | 'exclusive') => lockUse(directory, kind, 0)
    // The store of this test holds a shared lock.
    expect(take('exclusive')).toBeUndefined()
    const other = join(directory, 'copies')
    const [one, two] = [lockUse(other, 'shared', 0), lockUse(other, 'shared', 0)]
    expect([one, two]).not.toContain(undefined)
    one?.release()
    expect(lockUse(other, 'exclusive', 0)).toBeUndefined()
    two?.release()
    const alone = lockUse(other, 'exclusive', 0)
    expect(alone).toBeDefined()
    expect(lockUse(other, 'shared', 0)).toBeUndefined()
    expect(lockUse(other, 'exclusive', 0)).toBeUndefined()
    alone?.release()
    expect(statSync(join(other, 'service.lock')).size).toBe(0)
  })

  test('shows a service whether another one runs, and is no obstacle to commands', () => {
    const other = join(directory, 'copies')
    const [one, two] = [lockRunning(other), lockRunning(other)]
    expect([one.isAlone, two.isAlone]).toEqual([true, false])
    one.release()
    const three = lockRunning(other)
    expect(three.isAlone).toBe(false)
    const command = lockUse(other, 'exclusive', 0)
    expect(command).toBeDefined()
    for (const each of [two, three, command]) each?.release()
    const four = lockRunning(other)
    expect(four.isAlone).toBe(true)
    four.release()
    // The service starts even if the file cannot be created.
    expect(lockRunning(join(directory, 'nowhere')).isAlone).toBe(true)
  })

  test('prevents opening the store during a restore', async () => {
    const other = join(directory, 'copies')
    const alone = lockUse(other, 'exclusive', 0)
    await expect(openIn(other, { busyTimeout: 0 })).rejects.toMatchObject({
      code: 'store_unavailable',
      cause: { message: expect.stringContaining('mayfly restore') },
    })
    expect(existsSync(join(other, 'mayfly.db'))).toBe(false)
    alone?.release()
    await (await openIn(other)).close()
  })

  test('does not prevent opening the store if the lock file cannot be created', async () => {
    mkdirSync(join(directory, 'copies/service.lock'))
    await (await openIn(join(directory, 'copies'))).close()
  })
})

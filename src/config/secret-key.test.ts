import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './load.ts'
import { existingKey, keyExposure, serviceKey } from './secret-key.ts'

describe('serviceKey', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mayfly-key-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  /** Settings with a data directory and, if `file` is given, a key file, both in the temporary directory. */
  const settings = (data: string, file?: string) => ({
    storage: {
      secretKey: undefined,
      secretKeyFile: file === undefined ? undefined : join(directory, file),
      directory: join(directory, data),
      databaseUrl: undefined,
    },
  })
  const config = settings('data')
  const modeOf = (path: string) => statSync(path).mode & 0o777
  const KEY = 'ab'.repeat(32)
  const fileWith = (name: string, content: string, mode = 0o600): string => {
    writeFileSync(join(directory, name), content)
    chmodSync(join(directory, name), mode)
    return name
  }

  test('creates the key once, readable by its owner only', async () => {
    const key = await serviceKey(config)
    expect(key.length).toBe(32)
    expect(await serviceKey(config)).toEqual(key)
    expect(modeOf(join(config.storage.directory, 'secret.key'))).toBe(0o600)
    expect(readdirSync(config.storage.directory)).toEqual(['secret.key'])
  })

  test.each([
    ['the data directory', undefined],
    ['the key file', 'together.key'],
  ])('returns the same key to two starts at the same moment, from %s', async (_where, file) => {
    const together = settings(`together-${file}`, file)
    const [one, two] = await Promise.all([serviceKey(together), serviceKey(together)])
    expect(one).toEqual(two)
  })

  test('returns the key of the configuration', async () => {
    expect(await serviceKey({ storage: { ...config.storage, secretKey: KEY } })).toEqual(Buffer.alloc(32, 0xab))
  })

  test('does not create a new key beside a database', async () => {
    const beside = settings('beside')
    mkdirSync(beside.storage.directory)
    writeFileSync(join(beside.storage.directory, 'mayfly.db'), '')
    await expect(serviceKey(beside)).rejects.toThrow(/secret\.key is missing beside a database/)
    const apart = settings('beside', 'beside.key')
    await expect(serviceKey(apart)).rejects.toThrow(/MAYFLY_SECRET_KEY_FILE .*beside\.key.* missing beside a database/)
    // With PostgreSQL the file in the data directory is not the database in use.
    expect(await serviceKey({ storage: { ...apart.storage, databaseUrl: 'postgres://h/d' } })).toHaveLength(32)
  })

  test('does not replace a damaged key', async () => {
    writeFileSync(join(config.storage.directory, 'secret.key'), 'damaged')
    await expect(serviceKey(config)).rejects.toThrow(/secret\.key does not hold 64 hexadecimal digits/)
  })

  test.runIf(process.getuid?.() === 0).each([
    ['0600', /^MAYFLY_DATA_DIR: .+secret\.key belongs to another user; chown it to the user of the service$/],
    ['0644', /^[0-9a-f]{64}$/],
  ])('a key file of another user with mode %s', (mode, expected) => {
    const other = mkdtempSync(join(tmpdir(), 'mayfly-key-'))
    chmodSync(other, 0o777)
    const path = join(other, 'secret.key')
    writeFileSync(path, 'ab'.repeat(32))
    chmodSync(path, Number.parseInt(mode, 8))
    const url = new URL('secret-key.ts', import.meta.url).href
    const script = `process.setuid(65534); const { existingKey } = await import(${JSON.stringify(url)}); console.log(await existingKey({ storage: { directory: ${JSON.stringify(other)} } }).then((key) => key.toString('hex'), (error) => error.message))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    rmSync(other, { recursive: true })
    expect(stdout.trim()).toMatch(expected)
  })

  test('reads a key file with a line break, in upper case, without write permission, and through a link', async () => {
    const read = settings('none', fileWith('read.key', `${KEY.toUpperCase()}\r\n`, 0o444))
    expect(await serviceKey(read)).toEqual(Buffer.alloc(32, 0xab))
    expect(modeOf(read.storage.secretKeyFile!)).toBe(0o444)
    expect(existsSync(read.storage.directory)).toBe(false)
    symlinkSync(read.storage.secretKeyFile!, join(directory, 'link.key'))
    expect(await serviceKey(settings('none', 'link.key'))).toEqual(Buffer.alloc(32, 0xab))
  })

  test('creates a missing key file, readable by its owner only', async () => {
    const first = settings('none', 'first.key')
    const key = await serviceKey(first)
    expect(await serviceKey(first)).toEqual(key)
    expect(readFileSync(first.storage.secretKeyFile!, 'utf8')).toBe(`${Buffer.from(key).toString('hex')}\n`)
    expect(modeOf(first.storage.secretKeyFile!)).toBe(0o600)
  })

  test('does not create a key file if the data directory has a key already', async () => {
    const moved = settings('moved', 'moved.key')
    await serviceKey({ storage: { ...moved.storage, secretKeyFile: undefined } })
    await expect(serviceKey(moved)).rejects.toThrow(
      /MAYFLY_SECRET_KEY_FILE .*moved\.key.* does not exist, but .*secret\.key does: move that key to /,
    )
  })

  test.each<[string, () => string, RegExp]>([
    ['other content', () => fileWith('bad.key', `${KEY}00`), /does not hold 64 hexadecimal digits/],
    ['no content', () => fileWith('empty.key', ''), /does not hold 64 hexadecimal digits/],
    ['very large content', () => fileWith('large.key', KEY.repeat(100_000)), /does not hold 64 hexadecimal digits/],
    ['no parent directory', () => 'none/below/a.key', /does not exist/],
    ['a file as parent directory', () => `${fileWith('a-file', '')}/a.key`, /not a directory/],
    ['a directory at its path', () => '.', /is a directory/],
    ['a device at its path', () => '../../../../../../../../dev/zero', /is a device or a pipe/],
  ])('rejects a key file with %s in one line', async (_what, file, problem) => {
    const error = await serviceKey(settings('none', file())).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(ConfigError)
    const { message } = error as Error
    expect(message).toMatch(problem)
    expect(message).toContain('MAYFLY_SECRET_KEY_FILE')
    expect(message).not.toContain('\n')
    expect(message).not.toContain(KEY)
  })

  test('loadConfig rejects a key and a key file together', () => {
    expect(() => loadConfig({ MAYFLY_SECRET_KEY: KEY, MAYFLY_SECRET_KEY_FILE: '/a' })).toThrow(
      'MAYFLY_SECRET_KEY and MAYFLY_SECRET_KEY_FILE are both set',
    )
  })

  test('existingKey reads a key but never creates one', async () => {
    await expect(existingKey(settings('nothing'))).rejects.toThrow(/secret\.key is missing/)
    await expect(existingKey(settings('nothing', 'nothing.key'))).rejects.toThrow(
      /MAYFLY_SECRET_KEY_FILE .* is missing/,
    )
    expect(existsSync(join(directory, 'nothing'))).toBe(false)
    expect(await existingKey(settings('nothing', 'read.key'))).toEqual(Buffer.alloc(32, 0xab))
  })

  test('keyExposure warns if other users can read the key file', async () => {
    const exposed = (file: string) => keyExposure(settings('none', file))
    expect(await exposed(fileWith('world.key', KEY, 0o604))).toMatch(
      /world\.key has mode 0604.*can read the service key/,
    )
    expect(await exposed(fileWith('group.key', KEY, 0o640))).toMatch(/group\.key has mode 0640/)
    expect(await exposed(fileWith('owner.key', KEY, 0o600))).toBeUndefined()
    expect(await keyExposure({ storage: { ...settings('none').storage, secretKey: KEY } })).toBeUndefined()
  })
})

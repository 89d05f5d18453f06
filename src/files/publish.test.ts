import { mkdtempSync, promises, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { withDraft } from './draft.ts'
import { writeDurably } from './write-durably.ts'

const root = mkdtempSync(join(tmpdir(), 'mayfly-publish-'))
afterAll(() => rmSync(root, { recursive: true }))
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** Makes a call of the file system fail with a code. */
function fails(call: 'link' | 'rename', code: string): void {
  vi.spyOn(promises, call).mockRejectedValue(Object.assign(new Error(`${code}: ${call}`), { code }))
  syncBuiltinESMExports()
}

const writers = {
  writeDurably: (path: string, content: string) => writeDurably(path, content, { exclusive: true }),
  withDraft: (path: string, content: string) => withDraft(path, async (draft) => writeFileSync(draft, content)),
}

describe.each(Object.entries(writers))('%s', (name, write) => {
  const directory = mkdtempSync(join(root, 'of-'))
  const file = join(directory, name)

  test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
    'publishes without hard links: %s',
    async (code) => {
      fails('link', code)
      await write(file, 'whole')
      expect(readFileSync(file, 'utf8')).toBe('whole')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      await expect(write(file, 'other')).rejects.toMatchObject({ code: 'EEXIST' })
      expect(readFileSync(file, 'utf8')).toBe('whole')
      expect(readdirSync(directory)).toEqual([name])
      rmSync(file)
    },
  )

  test('lets one of several concurrent writers win without hard links', async () => {
    fails('link', 'EPERM')
    const contents = ['x', 'y', 'z'].map((letter) => letter.repeat(100_000))
    const outcomes = await Promise.allSettled(contents.map((each) => write(file, each)))
    const won = outcomes.findIndex(({ status }) => status === 'fulfilled')
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toBe(contents[won])
    rmSync(file)
  })

  test('leaves nothing behind if the file cannot be published', async () => {
    fails('link', 'EIO')
    await expect(write(file, 'whole')).rejects.toMatchObject({ code: 'EIO' })
    fails('link', 'EPERM')
    fails('rename', 'EIO')
    await expect(write(file, 'whole')).rejects.toMatchObject({ code: 'EIO' })
    expect(readdirSync(directory)).toEqual([])
  })
})

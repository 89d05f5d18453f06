import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withDraft } from './draft.ts'

const root = mkdtempSync(join(tmpdir(), 'mayfly-draft-'))
afterAll(() => rmSync(root, { recursive: true }))

test('publishes a complete file with mode 0600', async () => {
  const file = join(root, 'a')
  const answer = await withDraft(file, async (draft) => {
    expect(readdirSync(root)).toEqual([expect.stringMatching(/^a\.[0-9a-f]{8}\.part$/)])
    expect(statSync(draft).mode & 0o777).toBe(0o600)
    writeFileSync(draft, 'whole')
    return 1
  })
  expect(answer).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe('whole')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(root)).toEqual(['a'])
})

test('never replaces a file, even one that was created in the meantime', async () => {
  const fill = async (draft: string) => writeFileSync(draft, 'other')
  await expect(withDraft(join(root, 'a'), fill)).rejects.toMatchObject({ code: 'EEXIST' })
  const between = async () => writeFileSync(join(root, 'b'), 'first')
  await expect(withDraft(join(root, 'b'), between)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(['a', 'b'].map((name) => readFileSync(join(root, name), 'utf8'))).toEqual(['whole', 'first'])
  expect(readdirSync(root).toSorted()).toEqual(['a', 'b'])
})

test('leaves nothing behind after a failure', async () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  // The process of the tests may listen too.
  const listeners = signals.map((signal) => process.listenerCount(signal))
  const failing = async (draft: string) => {
    for (const end of ['', '-journal', '-wal', '-shm']) writeFileSync(draft + end, 'half')
    throw new Error('failed')
  }
  await expect(withDraft(join(root, 'c'), failing)).rejects.toThrow('failed')
  await expect(withDraft(join(root, 'none/c'), failing)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(readdirSync(root).toSorted()).toEqual(['a', 'b'])
  expect(signals.map((signal) => process.listenerCount(signal))).toEqual(listeners)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('leaves nothing behind after %s', async (signal) => {
  const script = join(import.meta.dirname, 'draft.fixture.ts')
  const child = spawn(process.execPath, [script, join(root, 'd')], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  expect(readdirSync(root)).toHaveLength(4)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([null, signal])
  expect(readdirSync(root).toSorted()).toEqual(['a', 'b'])
})

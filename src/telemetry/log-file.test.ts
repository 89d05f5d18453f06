import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLogger } from './logger.ts'

const root = mkdtempSync(join(tmpdir(), 'mayfly-log-file-'))
afterAll(() => rmSync(root, { recursive: true }))

test('drops lines for a full disk', () => {
  const logger = createLogger('info', '/dev/full')
  expect(() => logger.info({}, 'dropped')).not.toThrow()
  expect(() => logger.info({}, 'dropped as well')).not.toThrow()
})

test('drops what does not fit, and goes on with a new line when there is room again', () => {
  const path = join(root, 'pipe')
  execFileSync('mkfifo', [path])
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const logger = createLogger('info', pipe)
  const long = 'x'.repeat(1_000_000)
  logger.info({}, long)
  logger.info({}, 'dropped')
  const buffer = Buffer.alloc(2_000_000)
  const read = (): string => buffer.toString('utf8', 0, readSync(pipe, buffer))
  const cut = read()
  expect(cut).toContain('xxx')
  expect(cut).not.toContain('\n')
  logger.info({}, 'first after')
  logger.info({}, 'second after')
  const [end, ...lines] = read().trimEnd().split('\n')
  expect(end).toBe('')
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['first after', 'second after'])
  closeSync(pipe)
})

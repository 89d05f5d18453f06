import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#test/support/program/free-port.ts'
import { BARE_ENV } from '#test/support/program/program.ts'

/* Output that cannot be written: /dev/full is a full disk. */

const root = join(import.meta.dirname, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-full-'))
const full = openSync('/dev/full', 'w')
afterAll(() => {
  closeSync(full)
  rmSync(dataDir, { recursive: true })
})

test('a service runs although neither its log nor its output can be written, and exits with 0', async () => {
  const port = await freePort()
  const service = spawn(process.execPath, ['bin/mayfly.js', 'start'], {
    cwd: root,
    env: {
      ...BARE_ENV,
      MAYFLY_DATA_DIR: dataDir,
      MAYFLY_HTTP_PORT: String(port),
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_METRICS_PORT: '0',
    },
    stdio: ['ignore', full, full],
  })
  const ended = once(service, 'exit')
  const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status)
  await expect.poll(() => ready().catch(() => service.exitCode)).toBe(200)
  service.kill()
  expect(await ended).toEqual([0, null])
})

test.each([['--version'], ['--help'], ['stats']])('%s says that its output cannot be written', async (command) => {
  const child = spawn(process.execPath, ['bin/mayfly.js', command], {
    cwd: root,
    env: { ...BARE_ENV, MAYFLY_DATA_DIR: dataDir },
    stdio: ['ignore', full, 'pipe'],
  })
  const [stderr, [status]] = await Promise.all([text(child.stderr!), once(child, 'close')])
  expect(stderr).toMatch(/^The output cannot be written: ENOSPC.*\n$/)
  expect(status).toBe(1)
})

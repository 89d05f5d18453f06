import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const START = `
  const { packagedChromium } = await import('./packaged-chromium.ts')
  const { path, env } = await packagedChromium(process.argv[1])
  const { execFileSync } = await import('node:child_process')
  console.log(String(execFileSync(path, ['--version'], { env: { ...process.env, ...env } })))`

test('concurrent processes unpack the browser, can all start it, and leave no other files', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'mayfly-browser-'))
  try {
    const start = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', START, cache], { cwd: import.meta.dirname })
    for (const { stdout } of await Promise.all([start(), start(), start()])) expect(stdout).toMatch(/^Chromium \d+/)
    expect(await readdir(cache)).toHaveLength(1)
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
})

import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Returns the command lines of processes of this machine with a marker in their environment. */
function processesWith(word: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const environment = readFileSync(`/proc/${id}/environ`, 'latin1')
        return environment.includes(word) ? [readFileSync(`/proc/${id}/cmdline`, 'latin1').replaceAll('\0', ' ')] : []
      } catch {
        // The process has ended, or belongs to another user.
        return []
      }
    })
}

async function started(args: string[], dataDir: string, node: string): Promise<{ npm: ChildProcess; log: string[] }> {
  const npm = spawn('npm', args, {
    cwd: root,
    // In a separate process group, as in a service manager: the signal reaches only npm.
    detached: true,
    env: {
      HOME: process.env.HOME,
      PATH: node,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_METRICS_PORT: '0',
      MAYFLY_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  const listening = new Promise<void>((resolve, reject) => {
    npm.once('exit', (code) => reject(new Error(`npm ended with ${code}:\n${log.join('\n')}`)))
    for (const stream of [npm.stdout!, npm.stderr!])
      createInterface({ input: stream }).on('line', (line) => {
        log.push(line)
        if (line.includes('Mayfly is running')) resolve()
      })
  })
  await listening
  return { npm, log }
}

const PATH = process.env.PATH ?? ''
/** PATH without the Node that `npm ci` installed, as on an older machine. */
const OLDER = PATH.split(':')
  .filter((directory) => !directory.includes('node_modules'))
  .join(':')

test.runIf(process.platform === 'linux').for<[NodeJS.Signals, string[], string]>([
  ['SIGTERM', ['start'], PATH],
  ['SIGINT', ['start'], PATH],
  ['SIGTERM', ['start'], OLDER],
  ['SIGINT', ['start'], OLDER],
  // Ctrl-C in a terminal reaches all processes, so only this one is lost in the shell between.
  ['SIGTERM', ['run', 'dev', '--', '--demo'], PATH],
])(
  '%s to npm %j stops the service, and nothing is left running',
  { timeout: 180_000 },
  async ([signal, args, path]) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-npm-'))
    const { npm, log } = await started(args, dataDir, path)
    try {
      expect(processesWith(dataDir).length).toBeGreaterThan(1)
      npm.kill(signal)
      await vi.waitFor(() => expect(processesWith(dataDir)).toEqual([]), { timeout: 60_000 })
      // The last lines may be read after the process has ended.
      if (args[0] === 'start')
        await vi.waitFor(() => expect(log.some((line) => line.includes('"msg":"stopped"'))).toBe(true), {
          timeout: 60_000,
        })
    } finally {
      // All processes of the group, whether npm has ended or not.
      if (npm.pid !== undefined && processesWith(dataDir).length > 0) process.kill(-npm.pid, 'SIGKILL')
      await rm(dataDir, { recursive: true })
    }
  },
)

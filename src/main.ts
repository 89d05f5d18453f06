import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve as absolute } from 'node:path'
import type { CommandServices } from '#cli/command.ts'
import { asksForHelp, oneLine, run } from '#cli/run.ts'
import { loadConfig, withDefaults } from '#config/load.ts'
import { settingsText } from '#config/print.ts'
import { keyExposure } from '#config/secret-key.ts'
import { checkStart, inUrl, ownSite, startWarnings } from '#config/site.ts'
import { type Config, groups } from '#config/table.ts'
import { isPublicSite } from '#core/local-site.ts'
import type { Logger } from '#core/telemetry.ts'

/** The first error of printing. */
let printFailure: NodeJS.ErrnoException | undefined
let printed = Promise.resolve()
function print(line: string): void {
  printed = new Promise((resolve) => {
    process.stdout.write(`${line}\n`, (error) => {
      printFailure ??= error ?? undefined
      resolve()
    })
  })
}
const printError = (line: string): void => void process.stderr.write(`${line}\n`)

// Output that cannot be written must not end a service. Commands check it at their end.
process.stdout.on('error', () => {})

/** Rejects if a command could not print all of its output. Its reader may go away, as in `mayfly stats | head`. */
async function ensurePrinted(): Promise<void> {
  await printed
  if (printFailure && printFailure.code !== 'EPIPE')
    throw new Error(`The output cannot be written: ${printFailure.message}`, { cause: printFailure })
}

/** SIGHUP: the terminal was closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/**
 * The same signal within this time counts once, in milliseconds. Ctrl-C reaches every process of a terminal, and
 * `bin/mayfly.js` passes it on as well.
 */
const ONE_SIGNAL = 500

/**
 * Node prints its warnings as plain text, but each line of the log must be JSON. A deprecated function in a library is
 * nothing that an operator can change.
 */
function logNodeWarnings(logger: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) =>
    logger[warning.name === 'DeprecationWarning' ? 'debug' : 'warn']({ err: warning }, 'Node warns'),
  )
}

type Announce = (config: Config, running: Running, otherService: string | undefined) => void
type Running = Awaited<ReturnType<typeof import('./composition/servers.ts').startServers>>

// Each command imports only what it uses: loading all of the program takes more than a second of CPU time.
const composition = {
  app: () => import('./composition/app.ts'),
  operating: () => import('./composition/operating.ts'),
  servers: () => import('./composition/servers.ts'),
  build: () => import('./composition/build.ts'),
  backup: () => import('./composition/backup.ts'),
  checkSettings: () => import('./composition/check-settings.ts'),
  otherService: () => import('./composition/other-service.ts'),
}

/**
 * Runs until SIGTERM, SIGINT or SIGHUP. A second signal, or one before it runs, ends it at once. `announce` prints where it
 * runs.
 */
async function start(config: Config, announce: Announce): Promise<void> {
  let isRunning = false
  // A process without handlers that has the id 1, as in a container, would ignore the signals.
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of SIGNALS) process.on(name, () => (isRunning ? resolve(name) : process.exit()))
  })
  checkStart(config)
  const [{ compose }, { loadBuild }, { startServers }, { lockDirectory, outboxWarning }] = await Promise.all([
    composition.app(),
    composition.build(),
    composition.servers(),
    composition.otherService(),
  ])
  const build = await loadBuild()
  const services = await compose(config)
  logNodeWarnings(services.logger)
  const running = await startServers(config, services, build).catch(async (error: unknown) => {
    await services.close()
    throw error
  })
  // Before it prints that it runs, because a supervisor may stop it as soon as it reads that.
  isRunning = true
  const directory = lockDirectory(config)
  const warnings = [directory.warning, ...startWarnings(config), await keyExposure(config), await outboxWarning(config)]
  for (const warning of warnings) if (warning !== undefined) services.logger.warn({}, warning)
  announce(config, running, directory.warning)
  const { url, httpPort, smtpPort, metricsPort } = running
  services.logger.info({ url, httpPort, smtpPort, metricsPort }, 'listening')
  const signal = await signalled
  // The next service may start while this one completes what is in progress.
  directory.release()
  const stoppedAt = performance.now()
  services.logger.info({ signal }, 'stopping')
  const again = (name: NodeJS.Signals): void => {
    if (name !== signal || performance.now() - stoppedAt > ONE_SIGNAL) process.exit(1)
  }
  for (const name of SIGNALS) process.on(name, again)
  await running.stop()
  services.logger.info({}, 'stopped')
}

const announceText: Announce = ({ server }, { url, smtpPort, metricsPort }, otherService) => {
  const port = String(smtpPort) === groups.server.smtpPort.fallback ? '' : ` --port ${smtpPort}`
  print('Mayfly is running.')
  print(`  Page  ${url}/`)
  print(`  SMTP  ${inUrl(server.host)}:${smtpPort}`)
  print(`  Metrics  http://${inUrl(server.metricsHost)}:${metricsPort}/metrics`)
  print('Open the page, then send a first message to its address:')
  print(`  npx mayfly send-test YOUR.ADDRESS@${server.domains[0]}${port}`)
  if (otherService !== undefined) print(`Warning: ${otherService}.`)
}

const announceJson: Announce = ({ server }, { url, smtpPort }) =>
  print(JSON.stringify({ url, smtp: { host: server.host, port: smtpPort }, domains: server.domains, pid: process.pid }))

/** Runs on free ports with a directory that is removed at the end. Ports that are set are used. */
async function startEphemeral(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'mayfly-'))
  // However it ends. Its threads may still write, so removing is tried again.
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const ports = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_METRICS_PORT: '0' }
  const config = loadConfig({ ...withDefaults(ports), MAYFLY_DATA_DIR: directory, MAYFLY_DATABASE_URL: undefined })
  await start(config, announceJson)
}

/** Opens the services for a command, which may run beside a running service. */
async function open(config: Config): Promise<CommandServices> {
  const [{ compose }, { composeOperating }] = await Promise.all([composition.app(), composition.operating()])
  const services = await compose(config, { mustExist: true })
  const operating = composeOperating(config, services)
  return {
    ...services,
    ...operating,
    stats: () => services.store.stats(services.clock()),
    async close() {
      operating.close()
      await services.close()
    },
  }
}

async function main(): Promise<number> {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  const argv = process.argv.slice(2)
  // Help and version must work with invalid settings.
  const asks = argv[0] === undefined || argv[0].startsWith('-') || asksForHelp(argv)
  try {
    const config = asks ? loadConfig({}) : loadConfig()
    const siteUrl = config.server.publicUrl ?? `${ownSite(config)}:${config.server.httpPort}`
    const code = await run(argv, {
      print,
      printError,
      version: manifest.version,
      settings: settingsText,
      start: ({ ephemeral }) => (ephemeral ? startEphemeral() : start(config, announceText)),
      open: () => open(config),
      checkSettings: async () => (await composition.checkSettings()).checkSettings(config),
      backup: async (file) => (await composition.backup()).backup(config, file),
      restore: async (file) => (await composition.backup()).restore(config, file),
      explain: async (raw) => (await import('#mail/reader/explain.ts')).explain(raw),
      siteUrl,
      isPublic: isPublicSite(siteUrl),
      dataDir: config.storage.databaseUrl === undefined ? absolute(config.storage.directory) : undefined,
      smtp: { host: config.server.host === '0.0.0.0' ? '127.0.0.1' : config.server.host, port: config.server.smtpPort },
    })
    if (code === 0 && argv[0] !== 'start') await ensurePrinted()
    return code
  } catch (error) {
    printError(oneLine(error))
    return 1
  }
}

process.exitCode = await main()
// A failure may leave threads, timers or sockets behind that would keep the process alive.
if (process.exitCode !== 0) process.exit()

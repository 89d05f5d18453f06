/**
 * Measures the figures of README and bench/README.md:
 *
 *   npm run bench -- --quick
 *   npm run bench [-- --only limits,receive,delay,weight,pages,opening,lighthouse,engines,nodes,inbox,expiry,live --rounds 3 --seconds 8]
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
})

if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  console.error('Installing the peers …')
  const { status } = spawnSync('npm', ['ci', '--prefix', import.meta.dirname], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/** The main figures in three minutes. */
const QUICK = { only: 'limits,receive,delay,pages', rounds: '1', seconds: '4' }
const ALL = {
  only: 'limits,receive,delay,weight,pages,opening,lighthouse,engines,nodes,inbox,expiry,live',
  rounds: '3',
  seconds: '8',
}
const chosen = { ...(values.quick ? QUICK : ALL), ...values }
const rounds = Number(chosen.rounds)
const seconds = Number(chosen.seconds)
const load = { connections: 100, size: 8192 }
const parts: Record<string, { title: string; run: () => Promise<string> }> = {
  limits: {
    title: 'What the machine allows',
    run: async () => (await import('./limits.ts')).limits({ seconds, ...load }),
  },
  receive: {
    title: 'Receiving: 8 KB multipart messages',
    run: async () =>
      (await import('./receive.ts')).receive({
        rounds,
        seconds,
        warmUp: values.quick ? 1 : 3,
        size: load.size,
      }),
  },
  delay: {
    title: 'From the 250 to the browser, at idle',
    run: async () => (await import('./delay.ts')).delay({ mails: 200 }),
  },
  weight: { title: 'Weight of the home page', run: async () => (await import('./weight.ts')).weight() },
  lighthouse: {
    title: 'Lighthouse, mobile',
    run: async () => (await import('./lighthouse.ts')).lighthouse({ rounds }),
  },
  engines: {
    title: 'SQLite and PostgreSQL',
    run: async () => (await import('./engines.ts')).engines({ rounds, seconds, rate: 0 }),
  },
  nodes: {
    title: 'Two nodes against one',
    run: async () => (await import('./engines.ts')).twoNodes({ rounds, seconds, rate: 2000 }),
  },
  inbox: {
    title: 'An inbox among a million',
    run: async () => (await import('./inbox.ts')).inbox({ addresses: 1e6, messages: 5e6, reads: 20_000 }),
  },
  expiry: {
    title: 'Expiry of a million messages',
    run: async () => (await import('./expiry.ts')).expiry({ rounds, messages: 1e6, seconds }),
  },
  live: {
    title: 'Open event streams and SMTP connections',
    run: async () =>
      (await import('./live.ts')).live({ streams: 15_000, sessions: 10_000, rate: 200, seconds, warmUp: 5 }),
  },
  pages: { title: 'Pages per second', run: async () => (await import('./pages.ts')).pages({ seconds }) },
  opening: {
    title: 'Opening a message of 100 KB',
    run: async () => (await import('./opening.ts')).opening({ reads: 200 }),
  },
}

console.log(
  `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
)
for (const name of chosen.only.split(',')) {
  const part = parts[name]
  if (!part) throw new Error(`--only must be a list of ${Object.keys(parts).join(', ')}`)
  console.log(`\n## ${part.title}\n\n${await part.run()}`)
}

/**
 * Measures the figures of README and bench/README.md:
 *
 *   npm run bench [-- --only receive,delay,weight,pages,lighthouse,engines,nodes,inbox,expiry --rounds 3 --seconds 8]
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'receive,delay,weight,pages,lighthouse,engines,nodes,inbox,expiry' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
  },
})

if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  console.error('Installing the peers …')
  const { status } = spawnSync('npm', ['ci', '--prefix', import.meta.dirname], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

const seconds = Number(values.seconds)
const parts: Record<string, { title: string; run: () => Promise<string> }> = {
  receive: {
    title: 'Receiving: 8 KB multipart messages on 100 connections',
    run: async () =>
      (await import('./receive.ts')).receive({
        rounds: Number(values.rounds),
        seconds,
        warmUp: 3,
        connections: 100,
        size: 8192,
      }),
  },
  delay: {
    title: 'From the 250 to the browser, at idle',
    run: async () => (await import('./delay.ts')).delay({ mails: 200 }),
  },
  weight: { title: 'Weight of the home page', run: async () => (await import('./weight.ts')).weight() },
  lighthouse: {
    title: 'Lighthouse, mobile',
    run: async () => (await import('./lighthouse.ts')).lighthouse({ rounds: Number(values.rounds) }),
  },
  engines: {
    title: 'SQLite and PostgreSQL',
    run: async () => (await import('./engines.ts')).engines({ rounds: Number(values.rounds), seconds, rate: 0 }),
  },
  nodes: {
    title: 'Two nodes against one',
    run: async () => (await import('./engines.ts')).twoNodes({ rounds: Number(values.rounds), seconds, rate: 2000 }),
  },
  inbox: {
    title: 'An inbox among a million',
    run: async () => (await import('./inbox.ts')).inbox({ addresses: 1e6, messages: 5e6, reads: 20_000 }),
  },
  expiry: {
    title: 'Expiry of a million messages',
    run: async () => (await import('./expiry.ts')).expiry({ rounds: Number(values.rounds), messages: 1e6, seconds }),
  },
  pages: { title: 'Pages per second', run: async () => (await import('./pages.ts')).pages({ seconds }) },
}

console.log(
  `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
)
for (const name of values.only.split(',')) {
  const part = parts[name]
  if (!part) throw new Error(`--only must be a list of ${Object.keys(parts).join(', ')}`)
  console.log(`\n## ${part.title}\n\n${await part.run()}`)
}

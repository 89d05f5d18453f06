import { newDatabase, PostgresServer } from '../test/support/program/postgres.ts'
import { median, round, table } from './lib/figures.ts'
import { runGenerator } from './lib/load.ts'
import { cpuSeconds, idle } from './lib/process.ts'
import { type MayflyServer, startMayfly } from './servers/mayfly.ts'

export interface EnginesOptions {
  rounds: number
  /** Duration of the load. */
  seconds: number
  /** Messages per second in the CPU comparison, for one node and for two nodes together. */
  rate: number
}

const CONNECTIONS = 100
const SIZE = 8192
/** Seconds. A new process spends much CPU on compilation, and two processes twice as much. */
const [WARM_UP, LONG_WARM_UP] = [3, 20]
const KEY = 'ab'.repeat(32)

interface Engine {
  nodes: MayflyServer[]
  /** Returns the CPU seconds of the nodes and of the database server so far. */
  cpu(): { nodes: number; database: number }
  stop(): Promise<void>
}

async function start(count: number, postgres: boolean, extra: Record<string, string>): Promise<Engine> {
  const server = postgres
    ? await PostgresServer.start({ durable: true, settings: { shared_buffers: '512MB' } })
    : undefined
  const url = server && (await newDatabase(server.url())).url
  const env: Record<string, string> = { ...extra, ...(url && { MAYFLY_DATABASE_URL: url, MAYFLY_SECRET_KEY: KEY }) }
  const started: MayflyServer[] = []
  for (let i = 0; i < count; i++) started.push(await startMayfly(CONNECTIONS, env))
  return {
    nodes: started,
    cpu: () => ({
      nodes: started.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
      database: server ? cpuSeconds(server.pid) : 0,
    }),
    async stop() {
      await Promise.all(started.map((node) => node.stop()))
      await server?.remove()
    },
  }
}

/** Runs the load on all nodes at the same time, each with its share of the connections. */
async function load({ nodes }: Engine, seconds: number, rate?: number) {
  const count = nodes.length
  const each = {
    connections: CONNECTIONS / count,
    size: SIZE,
    messages: 1e9,
    seconds,
    ...(rate && { rate: rate / count }),
  }
  const results = await Promise.all(
    nodes.map(({ smtpPort, recipients }) => runGenerator({ port: smtpPort, rcpt: recipients.join(','), ...each })),
  )
  const sum = (name: string): number => results.reduce((total, result) => total + result[name], 0)
  return { acknowledged: sum('acknowledged'), perSecond: sum('perSecond'), p99: results[0].latency.p99 as number }
}

async function measure(count: number, postgres: boolean, warmUp: number, seconds: number, rate?: number) {
  // With a rate, summaries are postponed, because one node would otherwise parse fewer messages than two, which have
  // more parsers.
  const engine = await start(count, postgres, rate === undefined ? {} : { MAYFLY_PARSE_BACKLOG_MAX: '1' })
  try {
    await load(engine, warmUp, rate)
    for (const { pid } of engine.nodes) await idle(pid)
    const before = engine.cpu()
    const result = await load(engine, seconds, rate)
    for (const { pid } of engine.nodes) await idle(pid)
    const after = engine.cpu()
    const thousands = result.acknowledged / 1000
    return {
      perSecond: result.perSecond,
      p99: result.p99,
      node: (after.nodes - before.nodes) / thousands,
      database: (after.database - before.database) / thousands,
    }
  } finally {
    await engine.stop()
  }
}

type Figures = Awaited<ReturnType<typeof measure>>

function rowOf(name: string, rounds: Figures[]): (string | number)[] {
  const of = (figure: keyof Figures): number => median(rounds.map((each) => each[figure]))
  return [
    name,
    round(of('perSecond')),
    rounds.map(({ perSecond }) => round(perSecond)).join(', '),
    round(of('p99'), 1),
    round(of('node'), 2),
    round(of('database'), 2),
    round(of('node') + of('database'), 2),
  ]
}

const HEAD = ['', 'acknowledged per second', 'rounds', '250 p99 ms', 'CPU s per 1,000: nodes', 'database', 'total']

/** Compares SQLite with PostgreSQL on the same machine, in alternating rounds. */
export async function engines({ rounds, seconds }: EnginesOptions): Promise<string> {
  const [sqlite, postgres]: [Figures[], Figures[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    sqlite.push(await measure(1, false, WARM_UP, seconds))
    postgres.push(await measure(1, true, WARM_UP, seconds))
    console.error(
      `round ${i + 1}: ${round(sqlite.at(-1)?.perSecond ?? 0)} and ${round(postgres.at(-1)?.perSecond ?? 0)} per second`,
    )
  }
  const share = median(postgres.map((each) => each.perSecond)) / median(sqlite.map((each) => each.perSecond))
  return [
    table([HEAD, rowOf('SQLite', sqlite), rowOf('PostgreSQL', postgres)]),
    `PostgreSQL receives ${round(share * 100)} % of the messages that SQLite receives. Both sync each group to the same disk before the 250.`,
  ].join('\n\n')
}

/** Compares the CPU time of two nodes and of one for the same messages. */
export async function twoNodes({ rounds, seconds, rate }: EnginesOptions): Promise<string> {
  const [one, two]: [Figures[], Figures[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    one.push(await measure(1, true, LONG_WARM_UP, seconds, rate))
    two.push(await measure(2, true, LONG_WARM_UP, seconds, rate))
    console.error(
      `round ${i + 1}: ${round(one.at(-1)?.node ?? 0, 2)} and ${round(two.at(-1)?.node ?? 0, 2)} CPU s per 1,000`,
    )
  }
  const more = median(two.map((each) => each.node)) / median(one.map((each) => each.node)) - 1
  return [
    table([HEAD, rowOf('one node', one), rowOf('two nodes', two)]),
    `Two nodes spend ${round(Math.abs(more) * 100)} % ${more < 0 ? 'less' : 'more'} CPU than one on the same ${rate} messages per second, with postponed summaries. Nodes, database and load share the cores, so the throughput does not apply to two machines.`,
  ].join('\n\n')
}

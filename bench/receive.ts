import { median, round, table } from './lib/figures.ts'
import { runGenerator } from './lib/load.ts'
import { cpuSeconds, idle } from './lib/process.ts'
import { haraka, harakaCluster } from './servers/haraka.ts'
import { maildev } from './servers/maildev.ts'
import { mayfly } from './servers/mayfly.ts'
import type { BenchServer, BenchServerKind } from './servers/server.ts'

export interface ReceiveOptions {
  rounds: number
  /** Duration of each load in seconds, and of the warm-up before the first. */
  seconds: number
  warmUp: number
  /** Bytes of a message. */
  size: number
}

interface Load {
  name: string
  connections: number
  /** Messages of a connection before it is closed. */
  perConnection: number
}

const LOADS: readonly Load[] = [
  { name: '100 connections', connections: 100, perConnection: 200 },
  { name: '20 connections', connections: 20, perConnection: 200 },
  { name: '20 connections, each closed after one message', connections: 20, perConnection: 1 },
]

interface Result {
  perSecond: number
  p50: number
  p99: number
  /** CPU seconds of the server per 1,000 acknowledged messages: at the last 250, and when it was idle again. */
  cpuAtEnd: number
  cpuAtRest: number
  acknowledged: number
  deferred: number
}

const DEFERRED = 'mayfly_summaries_deferred_total'

const run = (server: BenchServer, seconds: number, { connections, perConnection }: Load, size: number) =>
  runGenerator({
    port: server.smtpPort,
    rcpt: server.recipients.join(','),
    connections,
    'per-connection': perConnection,
    size,
    seconds,
    messages: 1e9,
  })

async function measure(server: BenchServer, load: Load, { seconds, size }: ReceiveOptions): Promise<Result> {
  await idle(server.pid)
  const before = await server.counters()
  const started = cpuSeconds(server.pid)
  const result = await run(server, seconds, load, size)
  const ended = cpuSeconds(server.pid)
  await idle(server.pid)
  const rest = cpuSeconds(server.pid)
  const after = await server.counters()
  const thousands = result.acknowledged / 1000
  return {
    perSecond: result.perSecond,
    ...result.latency,
    cpuAtEnd: (ended - started) / thousands,
    cpuAtRest: (rest - started) / thousands,
    acknowledged: result.acknowledged,
    deferred: (after[DEFERRED] ?? 0) - (before[DEFERRED] ?? 0),
  }
}

const PEERS = [maildev, haraka, harakaCluster]
const KINDS = [...PEERS, mayfly]

/**
 * Measures acknowledged messages per second and their CPU time for Mayfly and its peers, in alternating rounds, on many
 * and few connections, and with one message per connection.
 */
export async function receive(options: ReceiveOptions): Promise<string> {
  const results = new Map(LOADS.map((load) => [load, new Map(KINDS.map((kind) => [kind, [] as Result[]]))]))
  for (let i = 0; i < options.rounds; i++) {
    for (const kind of KINDS) {
      const server = await kind.start()
      try {
        await run(server, options.warmUp, LOADS[0]!, options.size)
        for (const load of LOADS) {
          const result = await measure(server, load, options)
          results.get(load)?.get(kind)?.push(result)
          console.error(`round ${i + 1} ${kind.name}, ${load.name}: ${round(result.perSecond)}/s`)
        }
      } finally {
        await server.stop()
      }
    }
  }
  const tables = [...results].map(([{ name }, each]) => `### ${name}\n\n${describe(each)}`)
  return [...tables, ...KINDS.map((kind) => `${kind.name}: ${kind.setup}`)].join('\n\n')
}

function describe(results: ReadonlyMap<BenchServerKind, readonly Result[]>): string {
  const of = (kind: BenchServerKind, figure: keyof Result): number =>
    median((results.get(kind) ?? []).map((each) => each[figure]))
  const fastest = Math.max(...PEERS.map((peer) => of(peer, 'perSecond')))
  const rows = KINDS.map((kind) => [
    kind.name,
    round(of(kind, 'perSecond')),
    `${round(of(kind, 'perSecond') / fastest, 1)} x`,
    (results.get(kind) ?? []).map((each) => round(each.perSecond)).join(', '),
    round(of(kind, 'cpuAtEnd'), 2),
    round(of(kind, 'cpuAtRest'), 2),
    `${round(of(kind, 'p50'), 1)} / ${round(of(kind, 'p99'), 1)}`,
  ])
  const head = [
    'server',
    'acknowledged per second',
    'versus the fastest peer',
    'rounds',
    'CPU s per 1,000 at the last 250',
    'CPU s per 1,000 at rest',
    '250 p50 / p99 ms',
  ]
  const [acknowledged, deferred] = [of(mayfly, 'acknowledged'), of(mayfly, 'deferred')]
  return [
    table([head, ...rows]),
    `Of ${round(acknowledged)} messages Mayfly summarized ${round(acknowledged - deferred)} at once and postponed ${round(deferred)} until the inbox is opened.`,
  ].join('\n\n')
}

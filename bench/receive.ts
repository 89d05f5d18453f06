import { median, round, table } from './lib/figures.ts'
import { runGenerator } from './lib/load.ts'
import { cpuSeconds, idle } from './lib/process.ts'
import { haraka, harakaCluster } from './servers/haraka.ts'
import { maildev } from './servers/maildev.ts'
import { mayfly } from './servers/mayfly.ts'
import type { BenchServer, BenchServerKind } from './servers/server.ts'

export interface ReceiveOptions {
  rounds: number
  /** Duration of the load in seconds, and of the same load before it as warm-up. */
  seconds: number
  warmUp: number
  connections: number
  /** Bytes of a message. */
  size: number
}

interface Round {
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

const load = (server: BenchServer, seconds: number, { connections, size }: ReceiveOptions) =>
  runGenerator({
    port: server.smtpPort,
    rcpt: server.recipients.join(','),
    connections,
    size,
    seconds,
    messages: 1e9,
  })

async function measure(kind: BenchServerKind, options: ReceiveOptions): Promise<Round> {
  const server = await kind.start()
  try {
    await load(server, options.warmUp, options)
    await idle(server.pid)
    const before = await server.counters()
    const started = cpuSeconds(server.pid)
    const result = await load(server, options.seconds, options)
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
  } finally {
    await server.stop()
  }
}

/** Measures acknowledged messages per second and their CPU time for Mayfly and its peers, in alternating rounds. */
export async function receive(options: ReceiveOptions): Promise<string> {
  const kinds = [maildev, haraka, harakaCluster, mayfly]
  const rounds = new Map<BenchServerKind, Round[]>(kinds.map((kind) => [kind, []]))
  for (let i = 0; i < options.rounds; i++) {
    for (const kind of kinds) {
      const result = await measure(kind, options)
      rounds.get(kind)?.push(result)
      console.error(`round ${i + 1} ${kind.name}: ${round(result.perSecond)}/s`)
    }
  }
  const of = (kind: BenchServerKind, figure: keyof Round): number =>
    median((rounds.get(kind) ?? []).map((each) => each[figure]))
  const fastest = Math.max(of(maildev, 'perSecond'), of(haraka, 'perSecond'))
  const rows = kinds.map((kind) => [
    kind.name,
    round(of(kind, 'perSecond')),
    `${round(of(kind, 'perSecond') / fastest, 1)} x`,
    (rounds.get(kind) ?? []).map((each) => round(each.perSecond)).join(', '),
    round(of(kind, 'cpuAtEnd'), 2),
    round(of(kind, 'cpuAtRest'), 2),
    `${round(of(kind, 'p50'), 1)} / ${round(of(kind, 'p99'), 1)}`,
  ])
  const head = [
    'server',
    'acknowledged per second',
    'versus the faster peer',
    'rounds',
    'CPU s per 1,000 at the last 250',
  ]
  const [acknowledged, deferred] = [of(mayfly, 'acknowledged'), of(mayfly, 'deferred')]
  return [
    table([[...head, 'CPU s per 1,000 at rest', '250 p50 / p99 ms'], ...rows]),
    ...kinds.map((kind) => `${kind.name}: ${kind.setup}`),
    `Of ${round(acknowledged)} messages Mayfly summarized ${round(acknowledged - deferred)} at once and postponed ${round(deferred)} until the inbox is opened.`,
  ].join('\n\n')
}

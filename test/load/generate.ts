/**
 * The load generator as a separate process, so that its work does not count as the server's:
 *
 *   node test/load/generate.ts --port 2525 --rcpt a@mayfly.test,b@mayfly.test --connections 100 --messages 20000
 *
 * Prints one line of JSON. `--ledger FILE` writes the sender's records, one JSON object per line.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Ledger } from './ledger.ts'
import { runLoad } from './load.ts'
import { loadMails } from './mail.ts'
import { percentile } from './percentile.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string' },
    rcpt: { type: 'string' },
    connections: { type: 'string', default: '100' },
    messages: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: 'Infinity' },
    rate: { type: 'string' },
    'per-connection': { type: 'string', default: '200' },
    size: { type: 'string', default: '8192' },
    ledger: { type: 'string' },
  },
})
if (!values.port || !values.rcpt) throw new Error('--port and --rcpt are needed')

const ledger = new Ledger()
const cpuBefore = process.cpuUsage()
const result = await runLoad({
  host: values.host,
  port: Number(values.port),
  recipients: values.rcpt.split(','),
  connections: Number(values.connections),
  messages: Number(values.messages),
  seconds: Number(values.seconds),
  ...(values.rate === undefined ? {} : { rate: Number(values.rate) }),
  perConnection: Number(values['per-connection']),
  mails: loadMails(Number(values.size), process.pid.toString(36)),
  ledger,
})
const cpu = process.cpuUsage(cpuBefore)
if (values.ledger) {
  writeFileSync(values.ledger, [...ledger.entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(''))
}
const { latencies, ...figures } = result
const milliseconds = (share: number): number => Number(percentile(latencies, share).toFixed(2))
console.log(
  JSON.stringify({
    ...figures,
    perSecond: Math.round(figures.acknowledged / figures.seconds),
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    latency: { p50: milliseconds(0.5), p99: milliseconds(0.99) },
  }),
)

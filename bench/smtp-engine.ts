/**
 * Compares Mayfly's SMTP engine with npm `smtp-server`. Both accept the same 8 KB messages into memory. Each server
 * runs in its own process. This process generates the load: 100 connections that pipeline MAIL, RCPT and DATA like real
 * MTAs. Rounds alternate, and the median counts.
 *
 *   node bench/smtp-engine.ts [messages per round, default 20000] [rounds, default 5]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { createSmtpServer } from '../src/smtp/server.ts'
import { defaultSmtpOptions } from '../src/smtp/testing.ts'

const CONNECTIONS = 100
const MAIL_BYTES = 8192
const NOTHING = () => {}

type Engine = 'mayfly' | 'smtp-server'

async function serveMayfly(): Promise<number> {
  const free = {
    lifetime: 'day',
    usedBytes: 0,
    subscriptionId: null,
    keySubscriptionId: null,
    private: false,
    forwards: false,
    pushes: false,
    sealedFaults: null,
  } as const
  const row = { id: 'x', nameKey: 'x', publicKey: new Uint8Array(32), ...free }
  const kept: { last?: Uint8Array } = {}
  const unlimited = { maxConnectionsPerAddress: 1e9, maxCommands: 1e9, maxMessages: 1e9 }
  const { port } = await createSmtpServer(
    { ...defaultSmtpOptions(), port: 0, ...unlimited },
    {
      receive: {
        accept: async (recipient) => ({ recipient, row, maxBytes: Infinity }),
        deliver: async (_, __, raw) => void (kept.last = raw),
        failed: NOTHING,
        delay: () => undefined,
      },
      logger: { debug: NOTHING, info: NOTHING, warn: NOTHING, error: NOTHING },
      metrics: { count: NOTHING, gauge: NOTHING, observe: NOTHING },
      clock: Date.now,
    },
  ).listen()
  return port
}

async function serveSmtpServer(): Promise<number> {
  const kept: { last?: Uint8Array } = {}
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    logger: false,
    size: 10 * 1024 * 1024,
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        kept.last = Buffer.concat(chunks)
        callback(null)
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return (server.server.address() as { port: number }).port
}

/** Runs in the child process: starts a server, reports its port, and reports its CPU time on request. */
async function serve(engine: Engine): Promise<void> {
  const port = await (engine === 'mayfly' ? serveMayfly() : serveSmtpServer())
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
  process.on('disconnect', () => process.exit())
  process.send?.({ port })
}

const line = `${'The quick brown fox jumps over the lazy dog, again and again; so it goes.'.padEnd(76, '.')}\r\n`
const head = 'From: s@example.org\r\nTo: a@mayfly.test\r\nSubject: Your code is 123456\r\nMIME-Version: 1.0\r\n\r\n'
const body = Buffer.from(
  head +
    line.repeat(Math.ceil((MAIL_BYTES - head.length) / line.length)).slice(0, MAIL_BYTES - head.length - 2) +
    '\r\n.\r\n',
)
const envelope = Buffer.from('MAIL FROM:<s@example.org> SIZE=8192\r\nRCPT TO:<a@mayfly.test>\r\nDATA\r\n')

/** Sends `count` messages on one connection. Rejects on any unexpected reply. */
function deliver(port: number, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let step: 'greeting' | 'ehlo' | 'envelope' | 'mail' = 'greeting'
    let text = ''
    let left = count
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      // The last line of the expected replies: a code and a space, with no further reply after it.
      const [, code] = /(?:^|\r\n)(\d{3}) [^\r\n]*\r\n$/.exec(text) ?? []
      if (!code || (step === 'envelope' && code === '250')) return
      if (code !== { greeting: '220', ehlo: '250', envelope: '354', mail: '250' }[step]) return reject(new Error(text))
      text = ''
      if (step === 'greeting') {
        step = 'ehlo'
        socket.write('EHLO client.example\r\n')
      } else if (step === 'envelope') {
        step = 'mail'
        socket.write(body)
      } else if (step === 'mail' && --left === 0) {
        socket.end('QUIT\r\n')
        resolve()
      } else {
        step = 'envelope'
        socket.write(envelope)
      }
    })
  })
}

interface Result {
  perSecond: number
  cpuPerThousand: number
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
  return (cpu.user + cpu.system) / 1e6
}

/** Sends `mails` messages, `perConnection` per connection, on 100 connections at a time. */
async function round(child: ChildProcess, port: number, mails: number, perConnection: number): Promise<Result> {
  const cpuBefore = await cpuOf(child)
  const start = performance.now()
  let connectionsLeft = mails / perConnection
  async function client(): Promise<void> {
    while (connectionsLeft-- > 0) await deliver(port, perConnection)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  const seconds = (performance.now() - start) / 1000
  return { perSecond: mails / seconds, cpuPerThousand: (((await cpuOf(child)) - cpuBefore) / mails) * 1000 }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function compare(mails: number, rounds: number): Promise<void> {
  const engines: Engine[] = ['mayfly', 'smtp-server']
  const children = engines.map((engine) => fork(import.meta.filename, ['serve', engine]))
  const ports = await Promise.all(
    children.map(async (child) => ((await once(child, 'message')) as [{ port: number }])[0].port),
  )
  const scenarios = [
    { title: 'persistent: 100 connections, all messages', mails, perConnection: mails / CONNECTIONS },
    { title: 'ten messages per connection, 100 at a time', mails, perConnection: 10 },
    { title: 'one message per connection, 100 at a time', mails: mails / 10, perConnection: 1 },
  ]
  for (const scenario of scenarios) {
    const results: Result[][] = [[], []]
    for (let i = -1; i < rounds; i++) {
      for (const [at, child] of children.entries()) {
        const result = await round(child, ports[at] ?? 0, scenario.mails, scenario.perConnection)
        if (i >= 0) results[at]?.push(result)
      }
    }
    const [own, other] = results.map((each) => ({
      perSecond: median(each.map(({ perSecond }) => perSecond)),
      cpu: median(each.map(({ cpuPerThousand }) => cpuPerThousand)),
    })) as [{ perSecond: number; cpu: number }, { perSecond: number; cpu: number }]
    console.log(`\n${scenario.title} (${scenario.mails} messages of 8 KB, median of ${rounds})`)
    console.log(
      `  mayfly       ${own.perSecond.toFixed(0).padStart(7)} messages/s   ${own.cpu.toFixed(3)} CPU s per 1,000`,
    )
    console.log(
      `  smtp-server  ${other.perSecond.toFixed(0).padStart(7)} messages/s   ${other.cpu.toFixed(3)} CPU s per 1,000`,
    )
    console.log(
      `  ratio        ${(own.perSecond / other.perSecond).toFixed(1).padStart(7)}           ${(other.cpu / own.cpu).toFixed(1)} in CPU`,
    )
  }
  for (const child of children) child.disconnect()
}

const [mode = '20000', second = '5'] = process.argv.slice(2)
await (mode === 'serve' ? serve(second as Engine) : compare(Number(mode), Number(second)))

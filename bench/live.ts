import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { SmtpConnection } from '../test/load/client.ts'
import { LOAD_SENDER, loadMails } from '../test/load/mail.ts'
import { percentile } from '../test/load/percentile.ts'
import { createAddress } from '../test/support/program/api.ts'
import { type Program, startProgram } from '../test/support/program/program.ts'
import { startNameServer } from './lib/dns.ts'
import { round, table } from './lib/figures.ts'
import { idle } from './lib/process.ts'
import { RAISED } from './servers/mayfly.ts'

export interface LiveOptions {
  /** Open event streams, each of its own inbox. */
  streams: number
  /** Idle SMTP connections. */
  sessions: number
  /** Messages per second while the streams are open, and for how many seconds. */
  rate: number
  seconds: number
  /** Seconds before that with the same messages, whose delays do not count. */
  warmUp: number
}

const LANES = 50
const SENDERS = 10
/** Connections beyond those that are counted. */
const SPARE = 100
const HTTP_LIMITS = ['HTTP_CONNECTIONS', 'HTTP_CONNECTIONS_PER_IP', 'STREAMS', 'STREAMS_PER_IP']
const SMTP_LIMITS = ['SMTP_CONNECTIONS', 'SMTP_CONNECTIONS_PER_IP', 'SMTP_CONNECTIONS_PER_NETWORK']

/** Returns the resident memory of a process in KB. */
const residentKb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])

/** Runs `work` for each index below `count`, `LANES` at a time. */
async function each<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let i = next++; i < count; i = next++) results[i] = await work(i)
    }),
  )
  return results
}

/** Opens `count` sockets. Returns by how much the memory of an idle process grew for each, in KB. */
async function growth(pid: number, count: number, open: (index: number) => Promise<Socket>) {
  await idle(pid)
  const before = residentKb(pid)
  const sockets = await each(count, open)
  // Comments keep open streams alive, which is work even without messages.
  await idle(pid, { share: 0.25 })
  return { sockets, kb: (residentKb(pid) - before) / count }
}

/** Opens an event stream on a bare socket, because an HTTP client would need more memory than the server. */
async function openStream(url: URL, secret: string, onEvents: (text: string) => void): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname).setEncoding('latin1')
  await once(socket, 'connect')
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${secret}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [string]
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer)
  socket.on('data', onEvents)
  return socket
}

/** Opens an SMTP connection and greets. */
async function openSession(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  const [greeting] = (await once(socket, 'data')) as [string]
  socket.write('EHLO load.example\r\n')
  const [answer] = (await once(socket, 'data')) as [string]
  if (!greeting.startsWith('220') || !answer.startsWith('250')) throw new Error(greeting + answer)
  return socket
}

/** Runs `work` with a program whose limits of connections allow `count`. */
async function withProgram<T>(
  limited: readonly string[],
  count: number,
  work: (program: Program, pid: number) => Promise<T>,
): Promise<T> {
  const names = await startNameServer()
  const limits = Object.fromEntries(limited.map((name) => [`MAYFLY_${name}_MAX`, String(count + SPARE)]))
  const env = { ...RAISED, ...limits, MAYFLY_SMTP_SESSION_MESSAGES_MAX: '1000000', MAYFLY_DNS_SERVERS: names.address }
  const program = await startProgram({ asOperator: true, env })
  try {
    return await work(program, program.child.pid ?? 0)
  } finally {
    await program.stop()
    names.close()
  }
}

/** Measures the memory of open event streams, and the delay of events while messages arrive at `rate`. */
async function streamFigures({ streams, rate, seconds, warmUp }: LiveOptions) {
  return withProgram(HTTP_LIMITS, streams, async ({ url, smtpPort }, pid) => {
    const owners = await each(streams, () => createAddress(url))
    const started = new Map<string, { at: number; isWarmUp: boolean }>()
    const delays: number[] = []
    const { sockets, kb } = await growth(pid, streams, (i) =>
      openStream(new URL(url), owners[i]!.secret, (text) => {
        const [id = ''] = /live-+\d{8}/.exec(text) ?? []
        const start = started.get(id)
        if (start && started.delete(id) && !start.isWarmUp) delays.push(performance.now() - start.at)
      }),
    )
    const mail = loadMails(8192, 'live')
    const count = rate * (warmUp + seconds)
    const began = performance.now()
    let next = 0
    async function sendSome(): Promise<void> {
      const sender = await SmtpConnection.open({ port: smtpPort })
      for (let i = next++; i < count; i = next++) {
        await delay(Math.max(0, began + (i * 1000) / rate - performance.now()))
        const { id, wire } = mail()
        const named = Buffer.from(wire.toString('latin1').replace('Subject: ', `Subject: ${id} `), 'latin1')
        started.set(id, { at: performance.now(), isWarmUp: i < rate * warmUp })
        const reply = await sender.send(LOAD_SENDER, owners[(i * 7919) % streams]!.address, named)
        if (reply.code !== 250) throw new Error(`${reply.code} ${reply.text}`)
      }
      sender.quit()
    }
    await Promise.all(Array.from({ length: SENDERS }, sendSome))
    const perSecond = (count / (performance.now() - began)) * 1000
    // What has not arrived by then is missing.
    for (let i = 0; i < 300 && started.size > 0; i++) await delay(100)
    for (const socket of sockets) socket.destroy()
    return { kb, perSecond, delays, missing: started.size, count }
  })
}

/** Measures the memory of idle SMTP connections. */
async function sessionKb(sessions: number): Promise<number> {
  return withProgram(SMTP_LIMITS, sessions, async ({ smtpPort }, pid) => {
    const { sockets, kb } = await growth(pid, sessions, () => openSession(smtpPort))
    for (const socket of sockets) socket.destroy()
    return kb
  })
}

/** Measures the memory of open event streams and idle SMTP connections, and the delay of events. */
export async function live(options: LiveOptions): Promise<string> {
  const { kb, perSecond, delays, missing, count } = await streamFigures(options)
  const perSession = await sessionKb(options.sessions)
  const [p50, p99] = [0.5, 0.99].map((share) => round(percentile(delays, share), 1))
  return [
    table([
      ['', 'number', 'KB each'],
      ['open event streams', options.streams, round(kb, 1)],
      ['idle SMTP connections', options.sessions, round(perSession, 1)],
    ]),
    `While the streams were open, ${round(perSecond)} messages per second arrived. From MAIL to the event: p50 ${p50} ms, p99 ${p99} ms; ${missing} of ${count} events were missing.`,
  ].join('\n\n')
}

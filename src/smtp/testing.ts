import { connect, type Socket } from 'node:net'
import { MayflyError } from '#core/errors.ts'
import type { Receive } from '#features/receiving/index.ts'
import type { SmtpOptions } from './options.ts'
import { createSmtpServer } from './server.ts'

export type Delivery = {
  envelope: Parameters<Receive['deliver']>[0]
  recipients: string[]
  /** The mail as Latin-1, without the trace header. */
  mail: string
  trace: string
}

/** Knows every mailbox of mayfly.test but `unknown…`. */
export function fakeReceive(overrides: Partial<Receive> = {}): { receive: Receive; deliveries: Delivery[] } {
  const deliveries: Delivery[] = []
  return {
    deliveries,
    receive: {
      async accept(recipient) {
        if (!/@mayfly\.test$/i.test(recipient)) throw new MayflyError('relay_denied')
        if (recipient.startsWith('unknown')) throw new MayflyError('recipient_unknown')
        const id = recipient.toLowerCase()
        const free = {
          lifetime: 'day',
          usedBytes: 0,
          subscriptionId: null,
          keySubscriptionId: null,
          private: false,
          forwards: false,
        } as const
        return { recipient, row: { id, nameKey: id, publicKey: new Uint8Array(32), ...free }, maxBytes: Infinity }
      },
      async deliver(envelope, recipients, raw) {
        const text = Buffer.from(raw).toString('latin1')
        const [trace = ''] = /^Received:.*\r\n(?:[ \t].*\r\n)*/.exec(text) ?? []
        deliveries.push({
          envelope,
          recipients: recipients.map(({ recipient }) => recipient),
          mail: text.slice(trace.length),
          trace,
        })
      },
      ...overrides,
    },
  }
}

/** Resolves as soon as `condition` holds; the test's own time-out is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

/** A running server with a fake behind it. `await using` stops it. */
export async function startServer(options: Partial<SmtpOptions> = {}, overrides: Partial<Receive> = {}) {
  const { receive, deliveries } = fakeReceive(overrides)
  const counts: string[] = []
  const gauges: Record<string, number> = {}
  const logs: string[] = []
  const log = (fields: object, message: string) => void logs.push(`${message} ${JSON.stringify(fields)}`)
  const server = createSmtpServer(
    { hostname: 'mx.mayfly.test', port: 0, tick: 5, ...options },
    {
      receive,
      clock: () => Date.UTC(2026, 0, 2, 3, 4, 5),
      logger: { debug: log, info: log, warn: log, error: log },
      metrics: {
        count: (name, labels = {}) => void counts.push([name, ...Object.values(labels)].join(' ')),
        gauge: (name, value) => void (gauges[name] = value),
        observe: () => {},
      },
    },
  )
  const { port } = await server.listen()
  return { server, port, deliveries, counts, gauges, logs, [Symbol.asyncDispose]: () => server.close() }
}

/** A client on a raw socket: sends bytes as they are, reads whole replies. */
export class RawClient {
  #text = ''
  #closed = false
  #wake = () => {}
  socket!: Socket

  /** Connects and, unless told otherwise, reads the greeting. */
  static async connect(port: number, { greeting = true, localAddress = '127.0.0.1' } = {}): Promise<RawClient> {
    const client = new RawClient()
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    client.use(socket)
    if (greeting) await client.reply()
    return client
  }

  /** Goes on with another socket, a TLS one say. */
  use(socket: Socket): void {
    this.socket = socket
    socket.on('data', (chunk) => {
      this.#text += chunk.toString('latin1')
      this.#wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#closed = true
      this.#wake()
    })
  }

  /** What came and was not read yet. */
  get unread(): string {
    return this.#text
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /** Sends a line and reads its reply. */
  ask(line: string): Promise<string> {
    this.send(`${line}\r\n`)
    return this.reply()
  }

  /** EHLO, MAIL, RCPT and DATA up to the 354. */
  async startData(recipient = 'a@mayfly.test'): Promise<void> {
    for (const line of ['EHLO client.example', 'MAIL FROM:<s@example.org>', `RCPT TO:<${recipient}>`, 'DATA']) {
      const reply = await this.ask(line)
      if (!/^[23]/.test(reply)) throw new Error(`${line}: ${reply}`)
    }
  }

  /** The next whole reply, its lines joined by newlines; empty where the connection is closed first. */
  async reply(): Promise<string> {
    for (;;) {
      const match = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(this.#text)
      if (match) {
        this.#text = this.#text.slice(match[0].length)
        return match[0].trimEnd().replaceAll('\r\n', '\n')
      }
      if (this.#closed) return ''
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** So many replies, or fewer where the connection closes. */
  async replies(count: number): Promise<string[]> {
    const replies: string[] = []
    for (let i = 0; i < count; i++) {
      const reply = await this.reply()
      if (reply === '') break
      replies.push(reply)
    }
    return replies
  }

  /** All that comes until the connection is closed. */
  async rest(): Promise<string> {
    while (!this.#closed) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#text
  }

  close(): void {
    this.socket.destroy()
  }
}

/** How the first line begins that a client hears: the greeting, or a refusal by a cap. */
export const TAKEN = '220 mx.ma'
export const REFUSED = '421 4.7.0'

/** Opens connections one after the other; answers how the first line of each begins, and closes them when all have heard theirs. */
export async function greeted(opens: readonly (() => Promise<RawClient>)[]): Promise<string[]> {
  const lines: string[] = []
  const clients: RawClient[] = []
  for (const open of opens) {
    const client = await open()
    clients.push(client)
    lines.push((await client.reply()).slice(0, TAKEN.length))
  }
  for (const client of clients) client.close()
  return lines
}

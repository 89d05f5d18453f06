import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { loadConfig } from '#config/load.ts'
import { MayflyError } from '#core/errors.ts'
import type { FailedAttempt, Receive } from '#features/receiving/index.ts'
import { SmtpMemoryBudget } from './memory.ts'
import { fixedSmtpOptions, type SmtpOptions } from './options.ts'
import { SenderLimits } from './sender-limits.ts'
import { createSmtpServer } from './server.ts'
import { Session } from './session.ts'

type Delivery = {
  envelope: Parameters<Receive['deliver']>[0]
  recipients: string[]
  /** The message as Latin-1, without the trace header. */
  message: string
  trace: string
}

/** A receiver that accepts every recipient at mayfly.test except `unknown…`. */
export function fakeReceive(overrides: Partial<Receive> = {}) {
  const deliveries: Delivery[] = []
  const failures: { recipients: string[]; attempt: FailedAttempt }[] = []
  const receive: Receive = {
    failed: (recipients, attempt) =>
      void failures.push({ recipients: recipients.map(({ recipient }) => recipient), attempt }),
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
        pushes: false,
        sealedFaults: null,
      } as const
      return { recipient, row: { id, nameKey: id, publicKey: new Uint8Array(32), ...free }, maxBytes: Infinity }
    },
    delay: () => undefined,
    async deliver(envelope, recipients, raw) {
      const text = Buffer.from(raw).toString('latin1')
      const [trace = ''] = /^Received:.*\r\n(?:[ \t].*\r\n)*/.exec(text) ?? []
      deliveries.push({
        envelope,
        recipients: recipients.map(({ recipient }) => recipient),
        message: text.slice(trace.length),
        trace,
      })
    },
    ...overrides,
  }
  return { receive, deliveries, failures }
}

/** Resolves when `condition` returns true. The timeout of the test is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

/** Returns the options of a service with default settings on a public site. */
export function defaultSmtpOptions(): SmtpOptions {
  const { smtp, server, mailbox } = loadConfig({})
  return {
    ...fixedSmtpOptions,
    ...smtp,
    host: server.host,
    port: server.smtpPort,
    hostname: 'mx.mayfly.test',
    maxMessageBytes: mailbox.maxMessageBytes,
    maxBufferedBytes: mailbox.memoryBytes / 2,
    shutdownGrace: server.shutdownGrace,
    isLocalSite: false,
    certificate: undefined,
  }
}

/** Starts a server with a fake receiver. `await using` stops it. */
export async function startServer(options: Partial<SmtpOptions> = {}, overrides: Partial<Receive> = {}) {
  const { receive, deliveries, failures } = fakeReceive(overrides)
  const counts: string[] = []
  const gauges: Record<string, number> = {}
  const logs: string[] = []
  const log = (fields: object, message: string) => void logs.push(`${message} ${JSON.stringify(fields)}`)
  const server = createSmtpServer(
    { ...defaultSmtpOptions(), port: 0, tick: 5, ...options },
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
  return { server, port, deliveries, failures, counts, gauges, logs, [Symbol.asyncDispose]: () => server.close() }
}

/** Opens a session without a receiver around it. Returns it with its socket and its client. */
export async function openSession(
  options: Partial<SmtpOptions> = {},
  overrides: Partial<Receive> = {},
  secureContext = async () => createSecureContext(),
) {
  const silent = () => {}
  const opened = Promise.withResolvers<{ session: Session; socket: Socket }>()
  const server = createServer((socket) => {
    const session = new Session(socket, '127.0.0.1', {
      options: { ...defaultSmtpOptions(), ...options },
      receive: fakeReceive(overrides).receive,
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      metrics: { count: silent, gauge: silent, observe: silent },
      clock: Date.now,
      share: new SmtpMemoryBudget(1e6).of(undefined),
      senders: new SenderLimits(defaultSmtpOptions(), () => performance.now()),
      secureContext,
      ended: silent,
    })
    opened.resolve({ session, socket })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const client = await RawClient.connect((server.address() as AddressInfo).port)
  const close = (): void => {
    client.close()
    server.close()
  }
  return { ...(await opened.promise), client, close }
}

/** A client on a plain socket that sends bytes unchanged and reads whole replies. */
export class RawClient {
  #text = ''
  #closed = false
  #wake = () => {}
  socket!: Socket

  /** Connects and reads the greeting, unless `greeting` is false. */
  static async connect(port: number, { greeting = true, localAddress = '127.0.0.1' } = {}): Promise<RawClient> {
    const client = new RawClient()
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    client.use(socket)
    if (greeting) await client.reply()
    return client
  }

  /** Continues with another socket, such as a TLS socket. */
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

  /** Bytes that have arrived and were not read. */
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

  /** Returns the next whole reply, its lines joined by newlines. Empty if the connection is closed before. */
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

  /** Returns `count` replies, or fewer if the connection is closed before. */
  async replies(count: number): Promise<string[]> {
    const replies: string[] = []
    for (let i = 0; i < count; i++) {
      const reply = await this.reply()
      if (reply === '') break
      replies.push(reply)
    }
    return replies
  }

  /** Returns everything up to the end of the connection. */
  async rest(): Promise<string> {
    while (!this.#closed) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#text
  }

  close(): void {
    this.socket.destroy()
  }
}

/** The start of the first line from the server: the greeting, or the refusal of a connection limit. */
export const GREETED = '220 mx.ma'
export const REFUSED = '421 4.7.0'

/** Opens connections one after the other. Returns the start of the first line of each, and closes all at the end. */
export async function greetingsOf(opens: readonly (() => Promise<RawClient>)[]): Promise<string[]> {
  const lines: string[] = []
  const clients: RawClient[] = []
  for (const open of opens) {
    const client = await open()
    clients.push(client)
    lines.push((await client.reply()).slice(0, GREETED.length))
  }
  for (const client of clients) client.close()
  return lines
}

/** A proxy that names its clients, for the option `proxies`. */
export const PROXY = '127.0.0.9'

/** Connects through the proxy as a client with that IP address. Reads nothing. */
export async function connectFrom(port: number, from: string): Promise<RawClient> {
  const client = await RawClient.connect(port, { greeting: false, localAddress: PROXY })
  client.send(`PROXY ${from.includes(':') ? `TCP6 ${from} 2001:db8::25` : `TCP4 ${from} 198.51.100.1`} 56160 25\r\n`)
  return client
}

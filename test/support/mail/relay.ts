import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'

/** Steps of a session; `message` is the final dot. */
export type Step = 'connect' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'message'
/** 4yz, 5yz, a broken connection, no reply, or a reply of the test. */
export type Behavior = 'accept' | 'defer' | 'refuse' | 'drop' | 'hang' | (string & {})

export interface RelayedMail {
  from: string
  to: string
  /** The parameters of MAIL. */
  parameters: string
  raw: Buffer
  secure: boolean
}

export interface Relay {
  port: number
  /** The format of `MAYFLY_OUTBOUND_URL`. */
  url: string
  /** The accepted messages. If it dropped the connection after the final dot, it had accepted the message. */
  received: RelayedMail[]
  /** All recipients of RCPT in order, accepted or not. */
  asked: string[]
  /** Its behavior at each step; `to` is the recipient, if known. A test may change it at any time. */
  behave: (step: Step, to: string) => Behavior
  /** The maximum of concurrent transactions. */
  mostOpen(): number
  /** Resolves when `condition` holds. It is checked after each event. */
  until(condition: () => boolean): Promise<void>
  /** Resolves with the messages to a recipient once there are this many. */
  mailsTo(to: string, count?: number): Promise<RelayedMail[]>
  /** Closes all connections, as after a restart. */
  cut(): void
  close(): Promise<void>
}

const GOOD: Record<Step, string> = {
  connect: '220 relay.example ESMTP',
  EHLO: '',
  MAIL: '250 2.1.0 Ok',
  RCPT: '250 2.1.5 Ok',
  DATA: '354 Go on',
  message: '250 2.0.0 Queued',
}
const REFUSED: Record<Step, string> = {
  connect: '554 5.3.2 Go away',
  EHLO: '550 5.7.1 Who?',
  MAIL: '550 5.7.1 Not from there',
  RCPT: '550 5.1.1 No such mailbox',
  DATA: '554 5.5.1 No',
  message: '554 5.7.1 Looks like spam',
}

/** A relay (RFC 5321, with PIPELINING and 8BITMIME) on loopback that accepts everything until a test says otherwise. */
export async function startRelay({ tls = false } = {}): Promise<Relay> {
  const certificate = tls ? await generate([{ name: 'commonName', value: 'relay.example' }]) : undefined
  const context = certificate && createSecureContext({ cert: certificate.cert, key: certificate.private })
  const sockets = new Set<Socket>()
  const watchers = new Set<() => void>()
  const came = (): void => watchers.forEach((look) => look())
  let open = 0
  let mostOpen = 0

  const relay: Relay = {
    port: 0,
    url: '',
    received: [],
    asked: [],
    behave: () => 'accept',
    mostOpen: () => mostOpen,
    until: (condition) =>
      new Promise((done) => {
        const look = (): void => {
          if (!condition()) return
          watchers.delete(look)
          done()
        }
        watchers.add(look)
        look()
      }),
    async mailsTo(to, count = 1) {
      const mails = (): RelayedMail[] => relay.received.filter((each) => each.to === to)
      await relay.until(() => mails().length >= count)
      return mails()
    },
    cut: () => sockets.forEach((socket) => socket.destroy()),
    async close() {
      server.close()
      relay.cut()
      await once(server, 'close')
    },
  }

  function serve(plain: Socket): void {
    let socket = plain
    let text = ''
    let silent = false
    let inData = false
    /** The position up to which there is no end of data. */
    let searched = 0
    let mail: Omit<RelayedMail, 'raw' | 'secure'> | undefined

    /** Replies as the test says at a step. Returns whether the session continues as usual. */
    function answer(step: Step, good = GOOD[step], behavior = relay.behave(step, mail?.to ?? '')): boolean {
      if (behavior === 'hang') silent = true
      else if (behavior === 'drop') socket.destroy()
      else if (behavior === 'accept') socket.write(`${good}\r\n`)
      else if (behavior === 'defer') socket.write('451 4.7.1 Come again later\r\n')
      else socket.write(`${behavior === 'refuse' ? REFUSED[step] : behavior}\r\n`)
      return behavior === 'accept'
    }

    function ends(): void {
      if (mail) open--
      mail = undefined
    }

    const verbs: Record<string, (line: string) => void> = {
      EHLO() {
        const secured = socket instanceof TLSSocket
        answer(
          'EHLO',
          [
            '250-relay.example',
            '250-PIPELINING',
            ...(context && !secured ? ['250-STARTTLS'] : []),
            '250 8BITMIME',
          ].join('\r\n'),
        )
      },
      STARTTLS() {
        socket.write('220 2.0.0 Go ahead\r\n')
        plain.removeAllListeners('data')
        listen(new TLSSocket(plain, { isServer: true, ...(context ? { secureContext: context } : {}) }))
      },
      MAIL(line) {
        const [, from = '', parameters = ''] = /<(.*)> ?(.*)$/.exec(line) ?? []
        if (!answer('MAIL')) return
        mail = { from, to: '', parameters }
        mostOpen = Math.max(mostOpen, ++open)
      },
      RCPT(line) {
        if (!mail) return void socket.write('503 5.5.1 MAIL first\r\n')
        mail.to = /<(.*)>/.exec(line)?.[1] ?? ''
        relay.asked.push(mail.to)
        came()
        if (!answer('RCPT')) ends()
      },
      DATA() {
        if (!mail) return void socket.write('503 5.5.1 RCPT first\r\n')
        if (!answer('DATA')) return ends()
        inData = true
        // Handles a first line of a single dot like any other.
        text = `\r\n${text}`
        searched = 0
      },
      RSET() {
        ends()
        socket.write('250 2.0.0 Ok\r\n')
      },
      QUIT: () => void socket.end('221 2.0.0 Bye\r\n'),
    }

    function endOfData(data: string): void {
      inData = false
      const raw = Buffer.from(`${data}\r\n`.replaceAll('\r\n.', '\r\n').slice(2), 'latin1')
      const behavior = relay.behave('message', mail?.to ?? '')
      if (mail && (behavior === 'accept' || behavior === 'drop')) {
        relay.received.push({ ...mail, raw, secure: socket instanceof TLSSocket })
      }
      answer('message', GOOD.message, behavior)
      ends()
      came()
    }

    function read(chunk: Buffer): void {
      text += chunk.toString('latin1')
      while (!silent) {
        const mark = inData ? '\r\n.\r\n' : '\r\n'
        const end = text.indexOf(mark, inData ? searched : 0)
        searched = Math.max(0, text.length - mark.length)
        if (end === -1) return
        const piece = text.slice(0, end)
        text = text.slice(end + mark.length)
        if (inData) endOfData(piece)
        else
          (
            verbs[piece.slice(0, 4).toUpperCase()] ??
            verbs[piece.toUpperCase()] ??
            (() => socket.write('500 5.5.2 What?\r\n'))
          )(piece)
      }
    }

    function listen(on: Socket): void {
      socket = on
      on.on('data', read)
      on.on('error', () => {})
    }

    sockets.add(plain)
    plain.once('close', () => {
      sockets.delete(plain)
      ends()
      came()
    })
    listen(plain)
    answer('connect')
  }

  const server = createServer(serve)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  relay.port = (server.address() as AddressInfo).port
  relay.url = `smtp://127.0.0.1:${relay.port}`
  return relay
}

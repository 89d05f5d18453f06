import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import type { DataReader } from './data.ts'
import { Dialogue, type DialogueDeps } from './dialogue.ts'
import { DataPace } from './limits.ts'
import { Input } from './lines.ts'
import { replies } from './replies.ts'

export interface SessionDeps extends DialogueDeps {
  secureContext: () => SecureContext
  /** The connection is gone. */
  ended: () => void
}

/** So much may wait unread while a command is worked on, before the client is stopped. */
const MAX_WAITING_BYTES = 64 * 1024

/** How often a session that waits for memory looks whether there is some, in milliseconds. */
const MEMORY_LOOK = 20

const PACE_REPLIES = { idle: replies.dataTimeout, long: replies.tooSlow, slow: replies.tooSlow } as const

/** One connection: packets to the dialogue, replies back in as few writes as possible, time-outs, TLS, the end. */
export class Session {
  readonly #deps: SessionDeps
  readonly #dialogue: Dialogue
  readonly #input: Input
  #socket: Socket
  #output = ''
  /** A mail was answered and the answer has not left yet. */
  #verdictWaits = false
  /** A command is being worked on; what follows waits. */
  #busy = true
  #paused = false
  /** It has waited for memory as long as it may. */
  #waited = false
  /** The client has closed its direction; what it sent before still counts. */
  #inputEnded = false
  #ending = false
  #draining = false
  #deadline: number
  #pace: DataPace | undefined

  /** `clientAddress` as `clientAddress()` of limits.ts gives it. */
  constructor(socket: Socket, clientAddress: string, deps: SessionDeps) {
    this.#deps = deps
    this.#dialogue = new Dialogue(clientAddress, deps)
    this.#input = new Input(deps.options.maxCommandLineBytes)
    this.#deadline = performance.now() + deps.options.commandTimeout
    this.#socket = socket
    this.#attach(socket)
    // Two turns of the event loop cost nothing and see what a client sent with its connection: a real one waits (RFC 5321 3.1).
    setImmediate(() => setImmediate(() => this.#greet()))
  }

  /** Looks at the time-outs; `now` as performance.now() gives it. */
  tick(now: number): void {
    if (this.#ending) {
      if (now > this.#deadline) this.#socket.destroy()
    } else if (this.#pace) {
      const fault = this.#pace.fault(now)
      if (fault) this.#timeOut(`data_${fault}`, PACE_REPLIES[fault])
    } else if (!this.#busy && now > this.#deadline) {
      this.#timeOut('command', replies.commandTimeout)
    } else if (this.#dialogue.mode === 'tls' && now > this.#deadline) {
      this.#deps.metrics.count('smtp_timeouts', { of: 'handshake' })
      this.#socket.destroy()
    }
  }

  /** Ends the session with 421: at once, or after the mail that is on its way. */
  shutDown(): void {
    this.#draining = true
    if (this.#dialogue.mode === 'tls') this.#socket.destroy()
    else if (!this.#busy && !this.#pace) this.#end(replies.shuttingDown)
  }

  /** Ends the connection without a word. */
  destroy(): void {
    this.#socket.destroy()
  }

  #attach(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', () => socket.destroy())
    socket.on('end', () => {
      this.#inputEnded = true
      if (this.#ending) return
      if (this.#dialogue.mode === 'tls') socket.destroy()
      else if (!this.#busy) this.#end()
    })
    socket.once('close', () => {
      // The plain socket under a TLS one closes too; only the one in use is the connection.
      if (socket !== this.#socket) return
      if (this.#dialogue.mode === 'tls') this.#deps.metrics.count('smtp_tls_handshakes', { version: 'failed' })
      this.#ending = true
      this.#pace = undefined
      this.#dialogue.abandon()
      this.#deps.ended()
    })
  }

  #greet(): void {
    if (this.#ending) return
    this.#busy = false
    if (this.#input.length > 0) {
      this.#deps.metrics.count('smtp_early_talkers')
      this.#end(replies.earlyTalker)
    } else if (this.#draining) {
      this.#end(replies.shuttingDown)
    } else {
      this.#socket.write(`220 ${this.#deps.options.hostname} ESMTP Mayfly\r\n`)
    }
  }

  #receive(chunk: Buffer): void {
    if (this.#ending) return
    this.#input.push(chunk)
    if (!this.#busy) this.#run()
    if (this.#busy && !this.#paused && this.#input.length > MAX_WAITING_BYTES) {
      this.#paused = true
      this.#socket.pause()
    }
  }

  /** Works on what is there until it needs more of it, or must wait for an answer of our own. */
  #run(): void {
    while (!this.#busy && !this.#ending) {
      const reply = this.#dialogue.mode === 'data' ? this.#readData() : this.#readCommand()
      if (reply === undefined) break
      if (typeof reply === 'string') this.#answered(reply)
      else this.#wait(reply)
    }
    if (this.#busy || this.#ending) return
    if (this.#inputEnded) return this.#end()
    if (this.#paused) {
      this.#paused = false
      this.#socket.resume()
    }
    this.#flush()
  }

  #readCommand(): string | Promise<string> | undefined {
    const line = this.#input.nextLine()
    return line === undefined ? undefined : this.#dialogue.command(line)
  }

  #readData(): Promise<string> | undefined {
    const { reader } = this.#dialogue
    if (!reader || this.#input.length === 0) return undefined
    if (!reader.hasRoomFor(this.#input.length) && !this.#waited) return this.#waitForMemory(reader)
    const chunk = this.#input.takeAll()
    this.#waited = false
    this.#pace?.received(chunk.length, performance.now())
    const end = reader.feed(chunk)
    if (end === -1) return undefined
    if (end < chunk.length) this.#input.push(chunk.subarray(end))
    this.#pace = undefined
    return this.#dialogue.endOfData().finally(() => (this.#verdictWaits = true))
  }

  /** Reads nothing more from the client until there is memory; after a while what is there must do, or the mail is refused. */
  #waitForMemory(reader: DataReader): undefined {
    this.#busy = true
    this.#paused = true
    this.#socket.pause()
    this.#deps.metrics.count('smtp_memory_waits')
    // Not the same for all, or all would give up at the same moment, and what one gives back would help nobody.
    const { memoryWait } = this.#deps.options
    const deadline = performance.now() + memoryWait * (1 + Math.random())
    const timer = setInterval(() => {
      this.#waited = performance.now() > deadline
      if (!this.#ending && !this.#waited && !reader.hasRoomFor(this.#input.length)) return
      clearInterval(timer)
      if (this.#ending) return
      this.#busy = false
      this.#run()
    }, MEMORY_LOOK)
  }

  #wait(reply: Promise<string>): void {
    this.#busy = true
    // Replies to commands may travel together, but word of a mail mustn't wait for the next one's look-ups.
    if (this.#verdictWaits) this.#flush()
    void reply.then((text) => {
      this.#busy = false
      if (this.#ending) return
      this.#answered(text)
      this.#run()
    })
  }

  #answered(reply: string): void {
    this.#output += reply
    const now = performance.now()
    this.#deadline = now + this.#deps.options.commandTimeout
    const { mode } = this.#dialogue
    if (mode === 'closed') this.#end()
    else if (mode === 'tls') this.#startTls()
    else if (mode === 'data') this.#pace = new DataPace(this.#deps.options, now)
    else if (this.#draining) this.#end(replies.shuttingDown)
  }

  #flush(): void {
    this.#verdictWaits = false
    if (this.#output === '') return
    const output = this.#output
    this.#output = ''
    this.#socket.write(output, 'latin1')
  }

  /** Nothing that came in the clear survives: not what was read, not what Node holds; what comes later is the handshake. */
  #startTls(): void {
    const plain = this.#socket
    this.#busy = true
    this.#input.clear()
    plain.removeAllListeners('data').removeAllListeners('end')
    plain.pause()
    while (plain.read() !== null);
    const output = this.#output
    this.#output = ''
    plain.write(output, () => {
      if (plain.destroyed || this.#ending) return
      const secure = new TLSSocket(plain, { isServer: true, secureContext: this.#deps.secureContext() })
      this.#socket = secure
      this.#paused = false
      this.#attach(secure)
      secure.once('secure', () => {
        this.#busy = false
        this.#dialogue.tlsStarted()
        this.#deps.metrics.count('smtp_tls_handshakes', { version: secure.getProtocol() ?? 'unknown' })
        this.#run()
      })
    })
  }

  #timeOut(of: string, reply: string): void {
    this.#deps.metrics.count('smtp_timeouts', { of })
    this.#end(reply)
  }

  /** Says the last words and closes; what the client still sends is read and forgotten. */
  #end(lastWords = ''): void {
    this.#ending = true
    this.#pace = undefined
    this.#dialogue.abandon()
    this.#input.clear()
    this.#deadline = performance.now() + this.#deps.options.linger
    this.#socket.end(this.#output + lastWords, 'latin1')
    this.#output = ''
    this.#socket.resume()
  }
}

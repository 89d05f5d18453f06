import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import type { DataReader } from './data.ts'
import type { DialogueDeps } from './dialogue-deps.ts'
import { Dialogue } from './dialogue.ts'
import { DataPace } from './limits.ts'
import { Input } from './lines.ts'
import { replies } from './replies.ts'

interface SessionDeps extends DialogueDeps {
  /** Called when the connection is closed. */
  ended: () => void
}

/** The most unread bytes while a command is being processed. Beyond it the socket is paused. */
const MAX_WAITING_BYTES = 64 * 1024

const PACE_REPLIES = { idle: replies.dataTimeout, long: replies.tooSlow, slow: replies.tooSlow } as const

/**
 * One connection: passes input to the dialogue, writes replies in as few packets as possible, and handles timeouts, TLS
 * and closing.
 */
export class Session {
  readonly #deps: SessionDeps
  readonly #dialogue: Dialogue
  readonly #input: Input
  #socket: Socket
  #output = ''
  /** The reply to a message has not been written yet. */
  #messageReplyPending = false
  /** A command is being processed. Further input waits. */
  #busy = true
  #paused = false
  /** The session has waited for memory as long as it may. */
  #waited = false
  /** The client has closed its side. What it sent before is still processed. */
  #inputEnded = false
  #ending = false
  #draining = false
  #deadline: number
  /** When the client last sent something, or got a reply that it had to wait for. */
  #activeAt = performance.now()
  /** When the session began or its last message ended, plus the time that the server needed since then. */
  #progressAt = performance.now()
  #pace: DataPace | undefined

  /** `clientAddress` is normalized by `clientAddress()`. */
  constructor(socket: Socket, clientAddress: string, deps: SessionDeps) {
    this.#deps = deps
    this.#dialogue = new Dialogue(clientAddress, deps)
    this.#input = new Input(deps.options.maxCommandLineBytes)
    this.#deadline = performance.now() + deps.options.commandTimeout
    this.#socket = socket
    this.#attach(socket)
    // Two turns of the event loop show what a client sent together with its connection. Legitimate clients wait (RFC
    // 5321 3.1).
    setImmediate(() => setImmediate(() => this.#greet()))
  }

  /** Bytes that its unfinished message holds, that it waits for, and that all messages of its network hold. */
  get memory(): { held: number; wanted: number; ofNetwork: number } {
    const { share } = this.#deps
    return { held: this.#dialogue.reader?.heldBytes ?? 0, wanted: share.wanted(), ofNetwork: share.heldByNetwork() }
  }

  /** Whether it waits for its client longer than it should while others need its place. */
  stalls(now: number): boolean {
    const waitsForClient = !this.#busy || this.#dialogue.mode === 'tls'
    if (this.#ending || !waitsForClient) return false
    if (this.#pace) return this.#pace.stalls(now)
    const { stallTime, stallTimeWithoutMessage } = this.#deps.options
    return now - this.#activeAt > stallTime || now - this.#progressAt > stallTimeWithoutMessage
  }

  /** Ends it because it stalls and others need its place. */
  giveUp(): void {
    this.#timeOut('stalled', replies.stalled)
  }

  /** Checks the timeouts. `now` is a value of `performance.now()`. */
  tick(now: number): void {
    if (this.#ending) {
      if (now > this.#deadline) this.#socket.destroy()
    } else if (this.#pace && !this.#busy) {
      const fault = this.#pace.fault(now)
      if (fault) this.#timeOut(`data_${fault}`, PACE_REPLIES[fault])
    } else if (!this.#busy && now > this.#deadline) {
      this.#timeOut('command', replies.commandTimeout)
    } else if (this.#dialogue.mode === 'tls' && now > this.#deadline) {
      this.#deps.metrics.count('smtp_timeouts', { of: 'handshake' })
      this.#socket.destroy()
    }
  }

  /** Ends the session with 421, at once or after the message that is being transferred. */
  shutDown(): void {
    this.#draining = true
    if (this.#dialogue.mode === 'tls') this.#socket.destroy()
    else if (!this.#busy && !this.#pace) this.#end(replies.shuttingDown)
  }

  /** Closes the connection without a reply, at the end of a shutdown. */
  destroy(): void {
    this.#dialogue.abandon(replies.shuttingDown)
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
      // The plain socket below a TLS socket closes too. Only the socket in use counts.
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
    if (this.#inputEnded) {
      this.#end()
    } else if (this.#input.length > 0) {
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
    this.#activeAt = performance.now()
    this.#input.push(chunk)
    if (!this.#busy) this.#run()
    if (this.#busy && !this.#paused && this.#input.length > MAX_WAITING_BYTES) {
      this.#paused = true
      this.#socket.pause()
    }
  }

  /** Processes the input until more is needed or a reply is pending. */
  #run(): void {
    while (!this.#busy && !this.#ending) {
      const reply = this.#dialogue.mode === 'data' ? this.#readData() : this.#readCommand()
      if (reply === undefined) break
      if (typeof reply === 'string') this.#queueReply(reply)
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
    return this.#dialogue.endOfData().finally(() => (this.#messageReplyPending = true))
  }

  /**
   * Stops reading from the client until there is memory. After the wait it continues anyway, and the message is refused
   * if memory is still short.
   */
  #waitForMemory(reader: DataReader): undefined {
    this.#busy = true
    this.#paused = true
    this.#socket.pause()
    const since = performance.now()
    const patience = { atLeast: this.#deps.options.memoryWait, isOver: () => this.#ending }
    void reader.waitForRoom(this.#input.length, patience).then((found) => {
      this.#waited = !found
      if (this.#ending) return
      this.#busy = false
      this.#pace?.paused(performance.now() - since)
      this.#run()
    })
  }

  #wait(reply: Promise<string>): void {
    this.#busy = true
    const since = performance.now()
    // Replies to commands may be sent together, but the reply to a message must not wait for the lookups of the next
    // one.
    if (this.#messageReplyPending) this.#flush()
    void reply.then((text) => {
      this.#busy = false
      if (this.#ending) return
      const now = performance.now()
      this.#activeAt = now
      this.#progressAt = this.#messageReplyPending ? now : this.#progressAt + now - since
      this.#queueReply(text)
      this.#run()
    })
  }

  #queueReply(reply: string): void {
    this.#output += reply
    const now = performance.now()
    const { commandTimeout, maxTimeWithoutMessage } = this.#deps.options
    this.#deadline = Math.min(now + commandTimeout, this.#progressAt + maxTimeWithoutMessage)
    const { mode } = this.#dialogue
    if (mode === 'closed') this.#end()
    else if (reply === replies.readyForTls) this.#startTls()
    else if (mode === 'data') this.#pace = new DataPace(this.#deps.options, now)
    else if (this.#draining) this.#end(replies.shuttingDown)
  }

  #flush(): void {
    this.#messageReplyPending = false
    if (this.#output === '') return
    const output = this.#output
    this.#output = ''
    this.#socket.write(output, 'latin1')
  }

  /** Discards all input in plain text, both what was read and what Node has buffered. What follows is the handshake. */
  #startTls(): void {
    const plain = this.#socket
    this.#dialogue.mode = 'tls'
    this.#busy = true
    this.#input.clear()
    plain.removeAllListeners('data').removeAllListeners('end')
    plain.pause()
    while (plain.read() !== null);
    const output = this.#output
    this.#output = ''
    plain.write(output, () => {
      this.#deps.secureContext().then(
        (context) => this.#handshake(plain, context),
        () => plain.destroy(),
      )
    })
  }

  #handshake(plain: Socket, secureContext: SecureContext): void {
    if (plain.destroyed || this.#ending) return
    const secure = new TLSSocket(plain, { isServer: true, secureContext })
    this.#socket = secure
    this.#paused = false
    this.#attach(secure)
    secure.once('secure', () => {
      this.#busy = false
      this.#dialogue.tlsStarted()
      this.#deps.metrics.count('smtp_tls_handshakes', { version: secure.getProtocol() ?? 'unknown' })
      this.#run()
    })
  }

  #timeOut(of: string, reply: string): void {
    this.#deps.metrics.count('smtp_timeouts', { of })
    this.#end(reply)
  }

  /** Sends a last reply and closes. What the client still sends is read and discarded. */
  #end(lastReply = ''): void {
    this.#ending = true
    this.#pace = undefined
    this.#dialogue.abandon(lastReply)
    this.#input.clear()
    this.#deadline = performance.now() + this.#deps.options.linger
    this.#socket.end(this.#output + lastReply, 'latin1')
    this.#output = ''
    this.#socket.resume()
  }
}

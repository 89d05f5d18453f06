import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PATIENCE } from '#test/support/program/patience.ts'

export interface Reply {
  code: number
  text: string
}

/** Thrown if the server refuses the greeting or EHLO. */
export class RefusedError extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super(`refused: ${reply.code} ${reply.text}`)
    this.reply = reply
  }
}

/**
 * A minimal SMTP client (RFC 5321) with little overhead, so that a load test measures the server. It pipelines (RFC
 * 2920) if the server offers it and reads every reply before it counts it.
 */
export class SmtpConnection {
  #socket: Socket
  #pipelining = false
  #partial = ''
  #replies: Reply[] = []
  #lines: string[] = []
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = []
  #lost: Error | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error('the server does not answer')))
    socket.on('data', (chunk: string) => this.#read(chunk))
    socket.on('error', (error) => this.#end(error))
    socket.on('close', () => this.#end(new Error('the server closed the connection')))
  }

  /** Connects and greets. Rejects with `RefusedError` if the server replies with anything but 220 and 250. */
  static async open({ port, host = '127.0.0.1' }: { port: number; host?: string }): Promise<SmtpConnection> {
    const socket = connect({ port, host })
    await once(socket, 'connect')
    const connection = new SmtpConnection(socket)
    try {
      const greeting = await connection.#next()
      if (greeting.code !== 220) throw new RefusedError(greeting)
      socket.write('EHLO load.example\r\n')
      const hello = await connection.#next()
      if (hello.code !== 250) throw new RefusedError(hello)
      connection.#pipelining = /^PIPELINING$/im.test(hello.text)
    } catch (error) {
      socket.destroy()
      throw error
    }
    return connection
  }

  /** Whether the connection is known to be closed, so that nothing sent would arrive. */
  get lost(): boolean {
    return this.#lost !== undefined
  }

  /**
   * Sends one message to one recipient. `wire` is dot-stuffed and ends with CRLF, without the final dot. Resolves with
   * the reply to the message, or with the first refusal. Rejects if the connection is lost before that.
   */
  async send(from: string, recipient: string, wire: Uint8Array): Promise<Reply> {
    const data = await this.#envelope([`MAIL FROM:<${from}>\r\n`, `RCPT TO:<${recipient}>\r\n`, 'DATA\r\n'])
    if (data.code === 421) return data
    if (data.code !== 354) {
      this.#socket.write('RSET\r\n')
      await this.#next()
      return data
    }
    this.#socket.cork()
    this.#socket.write(wire)
    this.#socket.write('.\r\n')
    this.#socket.uncork()
    return this.#next()
  }

  async #envelope(commands: string[]): Promise<Reply> {
    if (this.#pipelining) this.#socket.write(commands.join(''))
    let refusal: Reply | undefined
    let reply: Reply | undefined
    for (const command of commands) {
      if (!this.#pipelining) this.#socket.write(command)
      reply = await this.#next()
      // RFC 5321, section 3.8: it may come at any time, and is the last reply.
      if (reply.code === 421) return reply
      if (reply.code >= 400) refusal ??= reply
      if (refusal && !this.#pipelining) break
    }
    if (!refusal || reply?.code !== 354) return refusal ?? (reply as Reply)
    // RFC 2920, section 3.1: a server may accept DATA without a recipient. The empty message ends it.
    this.#socket.write('.\r\n')
    await this.#next()
    return refusal
  }

  quit(): void {
    if (!this.#lost) this.#socket.end('QUIT\r\n')
  }

  #next(): Promise<Reply> {
    const reply = this.#replies.shift()
    if (reply) return Promise.resolve(reply)
    if (this.#lost) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #read(chunk: string): void {
    const lines = (this.#partial + chunk).split('\r\n')
    this.#partial = lines.pop() ?? ''
    for (const line of lines) {
      this.#lines.push(line.slice(4))
      if (line[3] === '-') continue
      const reply = { code: Number(line.slice(0, 3)), text: this.#lines.join('\n') }
      this.#lines = []
      const waiting = this.#waiting.shift()
      if (waiting) waiting.resolve(reply)
      else this.#replies.push(reply)
    }
  }

  #end(error: Error): void {
    this.#lost ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(this.#lost)
  }
}

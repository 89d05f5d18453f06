import { expect, vi } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { RefusedError, type Reply, SmtpConnection } from '../load/client.ts'
import type { Ledger } from '../load/ledger.ts'
import { LOAD_SENDER, type LoadMail, loadMails } from '../load/mail.ts'

interface SenderOptions {
  /** The receivers. Each message, and each retry, goes to the next one. */
  nodes: readonly { smtpPort: number }[]
  /** Each message goes to one of these, in turn. */
  recipients: readonly string[]
  /** Distinguishes the messages of several senders. */
  run: string
  ledger: Ledger
}

/** The reply of a node and its time (`performance.now()`). */
interface NodeReply {
  node: number
  code: number
  at: number
}

interface Expected {
  /** Default: all nodes. */
  from?: number[]
  since: number
  /** Default 1. */
  times?: number
  /** Milliseconds. Default: `PATIENCE`. */
  within?: number
}

const BYTES = 3072
/** Messages in progress at a time. */
const WORKERS = 12
/**
 * How long a worker waits after each message, in milliseconds. Together the workers send some 12 messages a second. More
 * would take the CPU from nodes that start, and each message has to be compared in the end.
 */
const DELAY = 800
/** Delay before a refused message is retried, in milliseconds. Real senders wait for minutes. */
const BACK_OFF = 100

/**
 * A mail server with many messages and several receivers. After a 4xx it sends the same bytes to another node until
 * they are accepted. A message whose connection broke before the reply is given up, so that its outcome stays unknown.
 */
export class Sender {
  readonly replies: NodeReply[] = []
  /** Messages whose connection broke before the reply. */
  lost = 0
  readonly #options: SenderOptions
  readonly #mails: () => LoadMail
  readonly #workers: Promise<void>[]
  /** How many messages wait for a reply, by node. */
  readonly #due = new Map<number, number>()
  #stopped = false
  #mailTurn = 0
  #nodeTurn = 0

  constructor(options: SenderOptions) {
    this.#options = options
    this.#mails = loadMails(BYTES, options.run, { dots: true })
    this.#workers = Array.from({ length: WORKERS }, () => this.#work())
  }

  /**
   * Resolves when each of these nodes has sent this reply so often since then (`performance.now()`). Throws if that
   * takes longer than `within` milliseconds.
   */
  async gets(code: number, { from, since, times = 1, within = PATIENCE }: Expected): Promise<void> {
    const nodes = from ?? [...this.#options.nodes.keys()]
    const count = (node: number): number =>
      this.replies.filter((each) => each.node === node && each.code === code && each.at >= since).length
    await vi.waitFor(() => expect(Math.min(...nodes.map(count)), `replies ${code}`).toBeGreaterThanOrEqual(times), {
      timeout: within,
      interval: 10,
    })
  }

  /** Resolves at a moment when this node has not yet replied to a message. */
  async isSending(node: number): Promise<void> {
    const due = (): number => this.#due.get(node) ?? 0
    await expect.poll(due, { interval: 1 }).toBeGreaterThan(0)
  }

  /** Resolves when every node has accepted five more messages. */
  underWay(): Promise<void> {
    return this.gets(250, { since: performance.now(), times: 5 })
  }

  /** Every reply code that was received, sorted. */
  get codes(): number[] {
    return [...new Set(this.replies.map(({ code }) => code))].toSorted((a, b) => a - b)
  }

  /** Starts no new messages. Resolves when those in progress have got their last reply. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#workers)
  }

  async #work(): Promise<void> {
    const connections = new Map<number, SmtpConnection>()
    while (!this.#stopped) {
      await this.#deliver(this.#mails(), connections)
      await pause(DELAY)
    }
    for (const connection of connections.values()) connection.quit()
  }

  async #deliver({ id, raw, wire }: LoadMail, connections: Map<number, SmtpConnection>): Promise<void> {
    const { nodes, recipients, ledger } = this.#options
    const recipient = recipients[this.#mailTurn++ % recipients.length] ?? ''
    const entry = ledger.sent(id, recipient, raw)
    for (;;) {
      const node = this.#nodeTurn++ % nodes.length
      let connection = connections.get(node)
      if (!connection || connection.lost) connection = await this.#open(node)
      if (!connection) continue
      connections.set(node, connection)
      let reply: Reply
      this.#due.set(node, (this.#due.get(node) ?? 0) + 1)
      try {
        reply = await connection.send(LOAD_SENDER, recipient, wire)
      } catch {
        this.lost++
        return
      } finally {
        this.#due.set(node, this.#due.get(node)! - 1)
      }
      this.replies.push({ node, code: reply.code, at: performance.now() })
      if (reply.code === 250) entry.outcome = 'acknowledged'
      if (reply.code >= 500) entry.outcome = 'refused'
      if (entry.outcome !== 'unknown') return
      connection.quit()
      connections.delete(node)
      await pause(BACK_OFF)
    }
  }

  async #open(node: number): Promise<SmtpConnection | undefined> {
    try {
      return await SmtpConnection.open({ port: this.#options.nodes[node]?.smtpPort ?? 0 })
    } catch (error) {
      if (error instanceof RefusedError) this.replies.push({ node, code: error.reply.code, at: performance.now() })
      await pause(BACK_OFF / this.#options.nodes.length)
      return undefined
    }
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

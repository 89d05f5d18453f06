import { setTimeout as delay } from 'node:timers/promises'
import { RefusedError, type Reply, SmtpConnection } from './client.ts'
import type { Ledger } from './ledger.ts'
import { LOAD_SENDER, type LoadMail } from './mail.ts'

export interface LoadOptions {
  port: number
  host?: string
  connections: number
  /** Messages after which a connection is closed and reopened. */
  perConnection: number
  /** The load ends after this many messages or seconds, whichever comes first. */
  messages: number
  seconds: number
  /** Messages per second; if unset, as many as possible. */
  rate?: number
  /** Each message goes to one of these, in turn. */
  recipients: readonly string[]
  mails: () => LoadMail
  ledger: Ledger
  /** Called when a 250 was read. */
  acknowledged?: () => void
}

interface LoadResult {
  acknowledged: number
  refused: number
  /** Connections that ended during a message, and connections that were refused. */
  lost: number
  connectionsRefused: number
  /** From the moment when all connections were greeted to the last reply. */
  seconds: number
  /** From the first command of a message to its 250, in milliseconds; with a rate, from its scheduled time. */
  latencies: number[]
  /** One reply of each kind that was not 250. */
  refusals: string[]
}

/**
 * Sends messages on several connections at once until the load is over or the server is gone. A lost connection is
 * reopened; one that can't be opened is given up.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { connections, perConnection, messages, recipients, ledger } = options
  const result: LoadResult = {
    acknowledged: 0,
    refused: 0,
    lost: 0,
    connectionsRefused: 0,
    seconds: 0,
    latencies: [],
    refusals: [],
  }
  const refusals = new Map<number, string>()
  let sent = 0
  let begun = 0
  let deadline = Infinity

  async function open(): Promise<SmtpConnection | undefined> {
    try {
      return await SmtpConnection.open(options)
    } catch (error) {
      result.connectionsRefused++
      if (error instanceof RefusedError) refusals.set(error.reply.code, error.message)
      return undefined
    }
  }

  function book(reply: Reply, startedAt: number): boolean {
    if (reply.code === 250) {
      result.acknowledged++
      result.latencies.push(performance.now() - startedAt)
      options.acknowledged?.()
      return true
    }
    result.refused++
    refusals.set(reply.code, `${reply.code} ${reply.text}`)
    return false
  }

  /** Sends until the connection is due to be replaced. Rejects if it is lost. */
  async function use(connection: SmtpConnection): Promise<void> {
    for (let i = 0; i < perConnection && sent < messages && performance.now() < deadline; i++) {
      const due = options.rate === undefined ? performance.now() : begun + (sent / options.rate) * 1000
      const recipient = recipients[sent++ % recipients.length] ?? ''
      if (due > performance.now()) await delay(due - performance.now())
      const { id, raw, wire } = options.mails()
      const entry = ledger.sent(id, recipient, raw)
      const startedAt = Math.min(due, performance.now())
      const reply = await connection.send(LOAD_SENDER, recipient, wire)
      entry.outcome = book(reply, startedAt) ? 'acknowledged' : 'refused'
      if (reply.code === 421) return
    }
  }

  async function worker(first: SmtpConnection | undefined): Promise<void> {
    let connection = first
    while (connection) {
      try {
        await use(connection)
      } catch {
        result.lost++
      }
      connection.quit()
      if (sent >= messages || performance.now() >= deadline) return
      connection = await open()
    }
  }

  const opened = await Promise.all(Array.from({ length: connections }, open))
  begun = performance.now()
  deadline = begun + options.seconds * 1000
  await Promise.all(opened.map(worker))
  result.seconds = (performance.now() - begun) / 1000
  result.refusals = [...refusals.values()]
  return result
}

import { setTimeout as delay } from 'node:timers/promises'
import { RefusedError, type Reply, SmtpConnection } from './client.ts'
import type { Ledger } from './ledger.ts'
import { LOAD_SENDER, type LoadMail } from './mail.ts'

export interface LoadOptions {
  port: number
  host?: string
  connections: number
  /** Mails after which a connection is closed and opened anew. */
  perConnection: number
  /** The load ends after so many mails, or after so many seconds, whichever comes first. */
  messages: number
  seconds: number
  /** So many mails a second; unset: as many as go. */
  rate?: number
  /** Each mail goes to one of these, in turn. */
  recipients: readonly string[]
  mails: () => LoadMail
  ledger: Ledger
  /** Called when a 250 was read. */
  acknowledged?: () => void
}

export interface LoadResult {
  acknowledged: number
  refused: number
  /** Connections that ended in the middle of a mail, and those that were not taken. */
  lost: number
  connectionsRefused: number
  /** From the moment that all connections had been greeted to the last reply. */
  seconds: number
  /** From the first command of a mail to its 250, in milliseconds; with a rate from the moment when it was due. */
  latencies: number[]
  /** One reply of each kind that was no 250. */
  refusals: string[]
}

/**
 * Sends mails on several connections at once until the load is over or the server is gone. A connection that is lost is
 * opened anew; one that cannot be opened is given up.
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

  /** Sends until it is time for a new connection; rejects when this one is lost. */
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

import { setTimeout as pause } from 'node:timers/promises'
import type { MessageKey } from '#core/mailbox/message-store.ts'
import { Connection, type ConnectionOptions } from './connections.ts'

const RETRY = 250

interface InDoubtCommits {
  /**
   * Ends the backend of a connection that broke during a transaction: one that waits for a synchronous standby would keep
   * its locks and its place among `max_connections` although the client is gone. `messages` are those that it was
   * committing. Their senders were told to retry, so messages that were stored are removed before they appear in the inbox
   * twice.
   */
  add(connectionName: string, messages: readonly MessageKey[]): void
  /** Removes messages that are known to be stored. */
  retract(messages: readonly MessageKey[]): void
  /** Resolves when nothing is in doubt any more, or after `milliseconds`. */
  settled(milliseconds: number): Promise<void>
}

export function createInDoubtCommits(deps: {
  connection: ConnectionOptions
  remove: (message: MessageKey) => Promise<unknown>
  onTrouble: (message: string, error: unknown) => void
}): InDoubtCommits {
  /** Names of connections. */
  const broken = new Set<string>()
  const doubtful: MessageKey[] = []
  let working: Promise<void> | undefined
  let closed = false

  /** The backend may still be committing, or be frozen. The outcome is certain only when it has ended. */
  async function endBackends(): Promise<void> {
    if (broken.size === 0) return
    const names = [...broken]
    const connection = new Connection(deps.connection)
    await connection.connect()
    try {
      for (;;) {
        const { rowCount } = await connection.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where application_name = any($1)',
          [names],
        )
        if (rowCount === 0) break
        await pause(RETRY / 5)
      }
    } finally {
      await connection.end()
    }
    for (const name of names) broken.delete(name)
  }

  async function work(): Promise<void> {
    let reported = false
    while (broken.size + doubtful.length > 0 && !closed) {
      const messages = [...doubtful]
      try {
        await endBackends()
        await Promise.all(messages.map(deps.remove))
        doubtful.splice(0, messages.length)
      } catch (error) {
        if (!reported)
          deps.onTrouble('Transactions with an uncertain outcome are ended when the database is reachable again', error)
        reported = true
        await pause(RETRY)
      }
    }
  }

  function start(messages: readonly MessageKey[]): void {
    doubtful.push(...messages)
    working ??= work().finally(() => (working = undefined))
  }

  return {
    add(connectionName, messages) {
      broken.add(connectionName)
      start(messages)
    },
    retract: start,
    async settled(milliseconds) {
      const timer = setTimeout(() => (closed = true), milliseconds)
      await working
      clearTimeout(timer)
      closed = true
    },
  }
}

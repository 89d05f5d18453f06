import { setTimeout as pause } from 'node:timers/promises'
import type { MessageKey } from '#core/mailbox/message-store.ts'
import { Connection, type ConnectionOptions } from './connections.ts'

const RETRY = 250

interface InDoubtCommits {
  /**
   * Ends the backend of a connection that broke during a commit: it may wait for a standby for ever, with its locks, and
   * would use up the connections of the server. The senders of `messages` were told to retry, so those that were stored
   * are removed before they appear in the inbox twice.
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
  let waiting: { connectionName?: string; messages: readonly MessageKey[] }[] = []
  let working: Promise<void> | undefined
  let closed = false

  /** The backend may still be committing, or be frozen. The outcome is certain only when it has ended. */
  async function endBackends(names: string[]): Promise<void> {
    if (names.length === 0) return
    const connection = new Connection(deps.connection)
    await connection.connect()
    try {
      for (;;) {
        const { rowCount } = await connection.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where application_name = any($1)',
          [names],
        )
        if (rowCount === 0) return
        await pause(RETRY / 5)
      }
    } finally {
      await connection.end()
    }
  }

  async function work(): Promise<void> {
    let reported = false
    while (waiting.length > 0 && !closed) {
      const batch = waiting
      try {
        await endBackends(batch.flatMap(({ connectionName }) => connectionName ?? []))
        await Promise.all(batch.flatMap(({ messages }) => messages.map(deps.remove)))
        waiting = waiting.filter((each) => !batch.includes(each))
      } catch (error) {
        if (!reported)
          deps.onTrouble('Messages with an uncertain commit are checked when the database is reachable again', error)
        reported = true
        await pause(RETRY)
      }
    }
  }

  function start(entry: (typeof waiting)[number]): void {
    waiting.push(entry)
    working ??= work().finally(() => (working = undefined))
  }

  return {
    add: (connectionName, messages) => start({ connectionName, messages }),
    retract: (messages) => start({ messages }),
    async settled(milliseconds) {
      const timer = setTimeout(() => (closed = true), milliseconds)
      await working
      clearTimeout(timer)
      closed = true
    },
  }
}

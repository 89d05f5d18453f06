import { setTimeout as pause } from 'node:timers/promises'
import type { MessageKey } from '#core/mailbox/message-store.ts'
import { Connection, type ConnectionOptions } from './connections.ts'

const RETRY = 250

export interface InDoubtCommits {
  /**
   * The connection broke while it was committing these, so that their senders are told to come again: should they be
   * there, they are taken back before they stand in the inbox twice.
   */
  add(connectionName: string, messages: readonly MessageKey[]): void
  /** Takes back what is there for certain. */
  retract(messages: readonly MessageKey[]): void
  /** Resolves when there is nothing in doubt any more, or `milliseconds` are over. */
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

  /** A backend may still be at it, frozen even; only when it is gone it is known what it did. */
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
    let told = false
    while (waiting.length > 0 && !closed) {
      const batch = waiting
      try {
        await endBackends(batch.flatMap(({ connectionName }) => connectionName ?? []))
        await Promise.all(batch.flatMap(({ messages }) => messages.map(deps.remove)))
        waiting = waiting.filter((each) => !batch.includes(each))
      } catch (error) {
        if (!told) deps.onTrouble('Messages whose commit is in doubt are looked at when the database is back', error)
        told = true
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

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
  /** Resolves when nothing is in doubt any longer, or after `milliseconds`. */
  settled(milliseconds: number): Promise<void>
}

export function createInDoubtCommits(deps: {
  connection: ConnectionOptions
  remove: (message: MessageKey) => Promise<unknown>
  onTrouble: (message: string, error: unknown) => void
}): InDoubtCommits {
  /** The messages that each connection was committing, by its name. */
  const broken = new Map<string, MessageKey[]>()
  let doubtful: MessageKey[] = []
  let working: Promise<void> | undefined
  let closed = false

  async function removeDoubtful(): Promise<void> {
    const messages = doubtful
    doubtful = []
    await Promise.all(messages.map((each) => deps.remove(each))).catch((error: unknown) => {
      doubtful.push(...messages)
      throw error
    })
  }

  /**
   * Ends the backends, and removes the messages of each that has ended. One may still be committing, or be frozen: its
   * outcome is certain only when it has ended, and others must not wait for that.
   */
  async function endBackends(connection: Connection): Promise<void> {
    while (broken.size > 0 && !closed) {
      const names = [...broken.keys()]
      const { rows } = await connection.query<{ name: string }>(
        'select application_name as name, pg_terminate_backend(pid) from pg_stat_activity where application_name = any($1)',
        [names],
      )
      const alive = new Set(rows.map(({ name }) => name))
      for (const name of names) {
        if (alive.has(name)) continue
        doubtful.push(...(broken.get(name) ?? []))
        broken.delete(name)
      }
      await removeDoubtful()
      if (alive.size > 0) await pause(RETRY / 5)
    }
  }

  async function round(): Promise<void> {
    await removeDoubtful()
    if (broken.size === 0) return
    const connection = new Connection(deps.connection)
    await connection.connect()
    try {
      await endBackends(connection)
    } finally {
      await connection.end()
    }
  }

  async function work(): Promise<void> {
    let reported = false
    while (broken.size + doubtful.length > 0 && !closed) {
      try {
        await round()
      } catch (error) {
        if (!reported)
          deps.onTrouble('Transactions with an uncertain outcome are ended when the database is reachable again', error)
        reported = true
        await pause(RETRY)
      }
    }
  }

  function start(): void {
    working ??= work().finally(() => (working = undefined))
  }

  return {
    add(connectionName, messages) {
      broken.set(connectionName, [...(broken.get(connectionName) ?? []), ...messages])
      start()
    },
    retract(messages) {
      doubtful.push(...messages)
      start()
    },
    async settled(milliseconds) {
      await Promise.race([working, pause(milliseconds, undefined, { ref: false })])
      closed = true
    },
  }
}

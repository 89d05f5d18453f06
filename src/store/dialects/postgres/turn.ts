import { Connection, type ConnectionOptions } from './connections.ts'
import { LOCKS } from './migrations-dialect.ts'

/**
 * Periodic work is that node's which holds an advisory lock, on a connection of its own: when the node dies the server frees
 * the lock, and the next one that asks has it.
 */
export function createTurn(options: ConnectionOptions) {
  let held: Connection | undefined

  async function take(): Promise<boolean> {
    const connection = new Connection(options)
    try {
      await connection.connect()
      const { rows } = await connection.query(`select pg_try_advisory_lock(${LOCKS.turn}) as taken`)
      if (!rows[0].taken) return false
      held = connection
      return true
    } catch {
      return false
    } finally {
      if (held !== connection) await connection.end().catch(() => {})
    }
  }

  return {
    async has(): Promise<boolean> {
      if (!held) return take()
      try {
        await held.query('select 1')
        return true
      } catch {
        await held.end().catch(() => {})
        held = undefined
        return take()
      }
    },
    close: () => held?.end().catch(() => {}),
  }
}

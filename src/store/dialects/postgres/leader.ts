import { Connection, type ConnectionOptions } from './connections.ts'
import { LOCKS } from './migrations-dialect.ts'

/** A node whose clock is farther from the database's must not say what has expired. In milliseconds. */
const MAX_SKEW = 60_000

/**
 * Periodic work is that node's which holds an advisory lock, on a connection of its own: when the node dies the server
 * frees the lock, and the next one that asks has it.
 */
export function createLeader(
  options: ConnectionOptions,
  onTrouble: (message: string, error: unknown) => void,
  clock: () => number = Date.now,
) {
  let held: Connection | undefined
  let complained = false

  /** Rejects where the clocks differ by too much. */
  async function compareClocks(connection: Connection): Promise<void> {
    const { rows } = await connection.query('select extract(epoch from clock_timestamp()) * 1000 as now')
    const skew = Math.round(clock() - Number(rows[0].now))
    if (Math.abs(skew) <= MAX_SKEW) {
      complained = false
      return
    }
    const error = new Error(`The clock of this node is ${skew} ms from the database's`)
    if (!complained) onTrouble('This node leaves the periodic work to others', error)
    complained = true
    throw error
  }

  async function take(): Promise<boolean> {
    const connection = new Connection(options)
    try {
      await connection.connect()
      await compareClocks(connection)
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
        await compareClocks(held)
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

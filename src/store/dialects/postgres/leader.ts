import { Connection, type ConnectionOptions } from './connections.ts'
import { LOCKS } from './migrations-dialect.ts'

/** A node whose clock deviates more from the database's clock must not decide what has expired. In milliseconds. */
const MAX_SKEW = 60_000

/**
 * The leader is the node that holds an advisory lock on its own connection. If it dies, the server releases the lock,
 * and the next node that asks for it becomes the leader.
 */
export function createLeader(
  options: ConnectionOptions,
  onTrouble: (message: string, error: unknown) => void,
  clock: () => number = Date.now,
) {
  let held: Connection | undefined
  let reported = false

  /** Rejects if the clocks differ by more than `MAX_SKEW`. */
  async function compareClocks(connection: Connection): Promise<void> {
    const { rows } = await connection.query('select extract(epoch from clock_timestamp()) * 1000 as now')
    const skew = Math.round(clock() - Number(rows[0].now))
    if (Math.abs(skew) <= MAX_SKEW) {
      reported = false
      return
    }
    const error = new Error(`The clock of this node is ${skew} ms from the database's`)
    if (!reported) onTrouble('This node leaves the periodic work to others', error)
    reported = true
    throw error
  }

  async function take(): Promise<boolean> {
    const connection = new Connection(options)
    try {
      await connection.connect()
      await compareClocks(connection)
      const { rows } = await connection.query(`select pg_try_advisory_lock(${LOCKS.leader}) as taken`)
      if (!rows[0].taken) return false
      held = connection
      return true
    } catch {
      return false
    } finally {
      if (held !== connection) await connection.end().catch(() => {})
    }
  }

  async function check(): Promise<boolean> {
    if (!held) return take()
    try {
      await compareClocks(held)
      return true
    } catch {
      await held.end().catch(() => {})
      held = undefined
      return take()
    }
  }

  /** Callers at the same time share one check: two connections of this node would compete for the lock. */
  let checking: Promise<boolean> | undefined

  return {
    has: (): Promise<boolean> => (checking ??= check().finally(() => (checking = undefined))),
    async close(): Promise<void> {
      // A check that fails has no lock to release.
      await checking?.catch(() => {})
      await held?.end().catch(() => {})
    },
  }
}

import { MayflyError } from '#core/errors.ts'
import { MINUTE } from '#core/time.ts'
import { Connection, type ConnectionOptions } from './connections.ts'
import { LOCKS } from './migrations-dialect.ts'

/** A node whose clock deviates more from the database's clock must not decide what has expired. In milliseconds. */
const MAX_SKEW = MINUTE

/**
 * The leader is the node that holds an advisory lock on its own connection. If it dies, the server releases the lock,
 * and the next node that asks for it becomes the leader. Every node keeps its connection, because it asks often.
 */
export function createLeader(
  options: ConnectionOptions,
  onTrouble: (message: string, error: unknown) => void,
  clock: () => number = Date.now,
) {
  let connection: Connection | undefined
  let leads = false
  /** Whether the clocks were compared since the last failed attempt to connect. */
  let compared = false
  /** What is wrong with the clock of this node, by the last comparison. */
  let wrong: MayflyError | undefined

  /** Rejects if the clocks differ by more than `MAX_SKEW`. */
  async function compareClocks(current: Connection): Promise<void> {
    const { rows } = await current.query('select extract(epoch from clock_timestamp()) * 1000 as now')
    const skew = Math.round(clock() - Number(rows[0].now))
    compared = true
    if (Math.abs(skew) <= MAX_SKEW) {
      wrong = undefined
      return
    }
    const error = new MayflyError('store_unavailable', `The clock of this node is ${skew} ms from the database's`)
    if (!wrong) onTrouble('This node leaves the periodic work to others', error)
    throw (wrong = error)
  }

  /** Forgets the last comparison if it cannot connect, because the next connection may lead to another database server. */
  async function connect(current: Connection): Promise<void> {
    try {
      await current.connect()
    } catch (error) {
      compared = false
      wrong = undefined
      throw error
    }
  }

  /** Closes the connection, and with it releases the lock, if something fails. */
  async function ask(): Promise<boolean> {
    const current = connection ?? new Connection(options)
    try {
      if (!connection) await connect(current)
      connection = current
      await compareClocks(current)
      if (leads) return true
      const { rows } = await current.query(`select pg_try_advisory_lock(${LOCKS.leader}) as taken`)
      return (leads = rows[0].taken)
    } catch {
      connection = undefined
      leads = false
      await current.end().catch(() => {})
      return false
    }
  }

  async function check(): Promise<boolean> {
    const wasConnected = connection !== undefined
    if (await ask()) return true
    // The server may have ended the session since the last check.
    return wasConnected && !connection ? ask() : false
  }

  /** Callers at the same time share one check: two connections of this node would compete for the lock. */
  let checking: Promise<boolean> | undefined

  const has = (): Promise<boolean> => (checking ??= check().finally(() => (checking = undefined)))

  return {
    has,
    /**
     * Rejects with `store_unavailable` if the clocks differed by more than `MAX_SKEW` when they were last compared: to this
     * node, addresses that exist have expired, or expired ones exist. Compares them if that was not done yet.
     */
    async ensureClock(): Promise<void> {
      if (!compared) await has()
      if (wrong) throw wrong
    },
    async close(): Promise<void> {
      // A check that fails has no lock to release.
      await checking?.catch(() => {})
      await connection?.end().catch(() => {})
    },
  }
}

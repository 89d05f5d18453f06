import type { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import type { MessageKey } from '#core/mailbox/message-store.ts'
import type { Result } from '../../database.ts'
import type { Connection } from './connections.ts'
import { borrow, runOn } from './driver.ts'
import { gaveWay, toError } from './errors.ts'

/** How often a transaction is tried if another one aborts it. */
const TRIES = 5

/** The last statements of a transaction, and the result for its caller once they are committed. */
interface Ending<Answer> {
  last: readonly CompiledQuery<unknown>[]
  answer: Answer
  /** Messages whose state is unknown if the connection breaks from now on. */
  doubtful?: readonly MessageKey[]
}

export interface Transactions {
  /**
   * Calls `work` with a connection, on which it begins a transaction. Then runs the last statements and the commit in
   * one round trip.
   */
  run<Answer>(work: (connection: Connection) => Promise<Ending<Answer>>): Promise<Answer>
  /** Runs statements in one transaction and one round trip. */
  batch(statements: readonly CompiledQuery<unknown>[]): Promise<Result<unknown>[]>
}

/** `doubt` is called if a connection broke while it was committing messages. */
export function createTransactions(
  pool: Pool,
  doubt: (connectionName: string, messages: readonly MessageKey[]) => void,
): Transactions {
  async function attempt<Answer>(work: (connection: Connection) => Promise<Ending<Answer>>): Promise<Answer> {
    const connection = await borrow(pool)
    let ending: Ending<Answer>
    try {
      ending = await work(connection)
    } catch (error) {
      // Closing the connection rolls the transaction back.
      connection.release(true)
      throw error
    }
    const answers = await connection.settle([...ending.last, 'commit'])
    const failed = answers.find((each) => each.status === 'rejected')
    const committed = answers.at(-1)?.status === 'fulfilled'
    // If the server replied, the commit of a transaction with a failed statement was a rollback. Without a reply, the
    // outcome is unknown.
    connection.release(!committed)
    if (!committed && ending.doubtful?.length) doubt(connection.name, ending.doubtful)
    if (failed) throw failed.reason
    return ending.answer
  }

  async function again<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    for (let i = 1; ; i++) {
      try {
        return await work()
      } catch (error) {
        if (i === TRIES || !gaveWay(error)) throw toError(error)
      }
    }
  }

  return {
    run: (work) => again(() => attempt(work)),
    batch: (statements) => again(async () => (await runOn(pool, ['begin', ...statements, 'commit'])).slice(1, -1)),
  }
}

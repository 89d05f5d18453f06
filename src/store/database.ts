import type { CompiledQuery, Expression, Kysely, SqlBool } from 'kysely'
import type { Channel } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { MessageKey, MessageStore, NewSummary } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import type { Schema } from './schema/schema.ts'

/** The rows of a query or a `returning` clause, and the number of rows that other statements wrote. */
export interface Result<Row> {
  rows: Row[]
  affected: number
}

export type Results<Queries extends readonly CompiledQuery<unknown>[]> = {
  [K in keyof Queries]: Queries[K] extends CompiledQuery<infer Row> ? Result<Row> : never
}

/**
 * The interface of a dialect to the aggregates. All methods reject with the MayflyErrors `disk_full` or
 * `store_unavailable` if the database can't do its work, and with other errors for faults in Mayfly's own statements.
 */
export interface Database {
  /** Builds and runs single queries. They see everything that was committed before. */
  read: Kysely<Schema>
  /** Builds the statements of a batch. Migrations also run single statements and transactions on it. */
  write: Kysely<Schema>
  /** Runs queries on one snapshot, in one round trip. */
  snapshot<const Queries extends readonly CompiledQuery<unknown>[]>(queries: Queries): Promise<Results<Queries>>
  /**
   * Runs statements in one transaction and one round trip; durable when the promise resolves. A later statement sees
   * the effects of earlier ones, so conditions between statements are written in SQL. No other transaction changes
   * `inboxes` until this one ends.
   */
  batch<const Queries extends readonly CompiledQuery<unknown>[]>(
    queries: Queries,
    inboxes?: readonly AddressId[],
  ): Promise<Results<Queries>>
  /** A condition: `column` equals one of the strings in `list`, a JSON array. */
  isAmong(column: string, list: string): Expression<SqlBool>
  /** On PostgreSQL: `drop_at` of a message, which tells its partition. */
  dropAt?: (message: MessageKey) => number
  /** The operations in which the engines differ most: storing many messages at once, and removing expired rows. */
  append: MessageStore['append']
  /** Stores summaries after other statements, in one transaction. Returns the results of `before`. */
  attachSummaries(
    summaries: readonly NewSummary[],
    before: readonly CompiledQuery<unknown>[],
  ): Promise<Result<unknown>[]>
  removeExpiredMessages: MessageStore['removeExpired']
  removeExpiredAddresses: AddressStore['removeExpired']
  retract: MessageStore['retract']
  fileBytes(): Promise<number>
  /** Rejects if a background fault will soon stop the queries, such as a full disk, or if the clock of this node is wrong. */
  ensureHealthy(): Promise<void>
  isLeader: Store['isLeader']
  channel: Channel
  maintain: Store['maintain']
  close(): Promise<void>
}

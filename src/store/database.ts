import type { CompiledQuery, Expression, Kysely, SqlBool } from 'kysely'
import type { Channel } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { MessageStore } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import type { Schema } from './schema/schema.ts'

/** Rows of a query or of `returning`, and how many rows a statement without them wrote. */
export interface Result<Row> {
  rows: Row[]
  affected: number
}

export type Results<Queries extends readonly CompiledQuery<unknown>[]> = {
  [K in keyof Queries]: Queries[K] extends CompiledQuery<infer Row> ? Result<Row> : never
}

/**
 * What a dialect offers to the queries of the aggregates. Everything rejects with the MayflyErrors `disk_full` or
 * `store_unavailable` where the database can't do its work, and with other errors for faults in our own statements.
 */
export interface Database {
  /** Builds and runs single queries; they see all that was committed before. */
  read: Kysely<Schema>
  /** Builds the statements of a batch; runs single statements and transactions for migrations. */
  write: Kysely<Schema>
  /** Runs queries on one snapshot, in one round trip. */
  snapshot<const Queries extends readonly CompiledQuery<unknown>[]>(queries: Queries): Promise<Results<Queries>>
  /**
   * Runs statements in one transaction and one round trip; durable when the promise resolves. A later statement sees
   * what the earlier ones did, so conditions between them are written in SQL. Nobody else changes `inboxes` until its
   * end.
   */
  batch<const Queries extends readonly CompiledQuery<unknown>[]>(
    queries: Queries,
    inboxes?: readonly AddressId[],
  ): Promise<Results<Queries>>
  /** `column` is one of the texts in `list`, a JSON array. */
  isAmong(column: string, list: string): Expression<SqlBool>
  /** Where the engines differ most: many messages at once, and what is done with old ones. */
  append: MessageStore['append']
  attachSummaries: MessageStore['attachSummaries']
  removeExpiredMessages: MessageStore['removeExpired']
  removeExpiredAddresses: AddressStore['removeExpired']
  retract: MessageStore['retract']
  fileBytes(): Promise<number>
  /** Rejects where something behind the queries is wrong that will stop them soon. */
  ensureSound(): Promise<void>
  isLeader: Store['isLeader']
  channel: Channel
  maintain: Store['maintain']
  close(): Promise<void>
}

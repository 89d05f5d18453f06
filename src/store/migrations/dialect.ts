import type { ColumnDataType, CreateTableBuilder, Expression, Kysely } from 'kysely'

/** The differences between the engines in creating tables. */
export interface MigrationDialect {
  bytes: ColumnDataType
  /** Holds milliseconds and bytes: 64 bits. */
  integer: ColumnDataType
  /** Compared bytewise. */
  text: ColumnDataType | Expression<string>
  /** After a table was renamed: lets nodes of the previous version read and write it under its earlier name. */
  keepName(db: Kysely<never>, earlier: string, table: string): Promise<void>
  /** Adds the column `last_id` to `addresses`, empty in all rows, unless it has been there from the start. */
  addLastIds(db: Kysely<never>): Promise<void>
  /** Whether each migration has its own transaction, because other processes use the tables. */
  isGradual: boolean
  /** In a transaction: locks out the migrations of other processes until it ends. */
  lock(transaction: Kysely<never>): Promise<void>
  /** Completes the definition of a table whose rows are stored in the order of the primary key. */
  clustered<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>
  /** Completes the definition of a table with large rows, which are stored in the order of arrival. */
  heap<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>
  /** Completes the definition of the table of inboxes. */
  inboxes<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>
  /**
   * Completes the definition of a table of expiring rows, with the primary key `<table>_key` of address and id. `heap`:
   * its rows are large and are stored in the order of arrival.
   */
  expiring<Table extends string, Column extends string>(
    kept: 'clustered' | 'heap',
    table: CreateTableBuilder<Table, Column | 'address_id' | 'id'>,
  ): CreateTableBuilder<Table, Column>
}

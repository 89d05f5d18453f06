import type { ColumnDataType, CreateTableBuilder, Expression, Kysely } from 'kysely'

/** Where the engines differ in how tables are made. */
export interface MigrationDialect {
  bytes: ColumnDataType
  /** Holds milliseconds and bytes: 64 bits. */
  integer: ColumnDataType
  /** Compared byte by byte. */
  text: ColumnDataType | Expression<string>
  /** For how long after a migration nodes of the version before may still write, in milliseconds. */
  rollout: number
  /** After a table is renamed: lets nodes of the version before read and write it under its earlier name. */
  keepName(db: Kysely<never>, earlier: string, table: string): Promise<void>
  /** In a transaction: keeps the migrations of other processes out until its end. */
  lock(transaction: Kysely<never>): Promise<void>
  /** Ends a table whose rows are best kept in the order of the primary key. */
  clustered<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>
  /** Ends a table whose rows are large, and best kept in the order of their arrival. */
  heap<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>
  /** Ends the table of inboxes. */
  inboxes<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>
  /**
   * Ends a table of what expires, with the primary key `<table>_key` of address and id. `heap`: its rows are large, and
   * best kept in the order of their arrival.
   */
  expiring<Table extends string, Column extends string>(
    kept: 'clustered' | 'heap',
    table: CreateTableBuilder<Table, Column | 'address_id' | 'id'>,
  ): CreateTableBuilder<Table, Column>
}

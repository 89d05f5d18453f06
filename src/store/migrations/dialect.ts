import type { ColumnDataType, CreateTableBuilder } from 'kysely'

/** Where the engines differ in how tables are made. */
export interface MigrationDialect {
  bytes: ColumnDataType
  /** Holds milliseconds and bytes: 64 bits. */
  integer: ColumnDataType
  /** Ends a table whose rows are best kept in the order of the primary key. */
  clustered<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>
  /** Ends a table whose rows are best kept in the order of their arrival. */
  heap<Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ): CreateTableBuilder<Table, Column>
}

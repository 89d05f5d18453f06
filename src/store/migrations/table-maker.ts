import type { ColumnDataType, Expression, Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

type Columns = Record<string, ColumnDataType | Expression<string>>

/** Creates plain tables, with `required` (not null) and `optional` columns. */
export function tableMaker(db: Kysely<never>, dialect: MigrationDialect) {
  return {
    async create(name: string, key: [string, ...string[]], required: Columns, optional: Columns = {}): Promise<void> {
      let table = db.schema.createTable(name)
      for (const [column, type] of Object.entries(required))
        table = table.addColumn(column, type, (each) => each.notNull())
      for (const [column, type] of Object.entries(optional)) table = table.addColumn(column, type)
      await dialect.clustered(table.addPrimaryKeyConstraint(`${name}_key`, key as [never, ...never[]])).execute()
    },
    index: (name: string, table: string, columns: string[]) => db.schema.createIndex(name).on(table).columns(columns),
  }
}

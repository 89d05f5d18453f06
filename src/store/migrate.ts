import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { addressesAndMessages } from './migrations/001-addresses-and-messages.ts'
import type { MigrationDialect } from './migrations/dialect.ts'
import type { Schema } from './schema.ts'

type Up = (db: Kysely<never>, dialect: MigrationDialect) => Promise<void>

const migrations: Record<string, Up> = {
  '001-addresses-and-messages': addressesAndMessages,
}

const TABLE = 'kysely_migration'

/** Brings the tables up to date, in one transaction that keeps other processes out. Throws for a database from a newer version. */
export async function migrate(db: Kysely<Schema>, dialect: MigrationDialect): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await refuseNewer(transaction)
    const provider = {
      getMigrations: () =>
        Promise.resolve(
          Object.fromEntries(
            Object.entries(migrations).map(([name, up]): [string, Migration] => [
              name,
              { up: (each: Kysely<never>) => up(each, dialect) },
            ]),
          ),
        ),
    }
    const { error } = await new Migrator({ db: transaction, provider, migrationTableName: TABLE }).migrateToLatest()
    if (error !== undefined) throw error
  })
}

async function refuseNewer(db: Kysely<Schema>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === TABLE)) return
  const done = await (db as unknown as Kysely<{ [TABLE]: { name: string } }>).selectFrom(TABLE).select('name').execute()
  const unknown = done.find(({ name }) => !Object.hasOwn(migrations, name))
  if (unknown)
    throw new Error(
      `The database was made by a newer version of Mayfly (it has the migration ${unknown.name}); update Mayfly`,
    )
}

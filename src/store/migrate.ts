import type { Kysely, Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { addressesAndMessages } from './migrations/001-addresses-and-messages.ts'
import { facts } from './migrations/002-facts.ts'
import { premium } from './migrations/003-premium.ts'
import { apiKeysAndWebhooks } from './migrations/004-api-keys-and-webhooks.ts'
import { forwarding } from './migrations/005-forwarding.ts'
import { signInLinkBinding } from './migrations/006-sign-in-link-binding.ts'
import { addressSecrets } from './migrations/007-address-secrets.ts'
import { operatorShares } from './migrations/008-operator-shares.ts'
import { boundBoxes } from './migrations/009-bound-boxes.ts'
import { emailsAndMetadata } from './migrations/010-emails-and-metadata.ts'
import { paidSessions } from './migrations/011-paid-sessions.ts'
import { deliveries } from './migrations/012-deliveries.ts'
import { faults } from './migrations/013-faults.ts'
import { addressPasswords } from './migrations/014-address-passwords.ts'
import { push } from './migrations/015-push.ts'
import { announcedMessages } from './migrations/016-announced-messages.ts'
import { ownDomainsOfAddresses } from './migrations/017-own-domains-of-addresses.ts'
import { callsByHost } from './migrations/018-calls-by-host.ts'
import { namesByAddress } from './migrations/019-names-by-address.ts'
import { keysOfAddresses } from './migrations/020-keys-of-addresses.ts'
import { paymentEventsByTime } from './migrations/021-payment-events-by-time.ts'
import { lastIds } from './migrations/022-last-ids.ts'
import type { MigrationDialect } from './migrations/dialect.ts'
import type { Schema } from './schema/schema.ts'

type Up = (db: Kysely<never>, dialect: MigrationDialect) => Promise<void>

/**
 * During a rolling update, the previous version runs on the new tables. So a migration only makes changes that do not
 * affect that version (expand). What is no longer used is removed by a later version, in a migration named
 * `NNN-contract-…`.
 * A released migration never changes, so migrations import only types and the files of `migrations/`.
 */
const migrations: Record<string, Up> = {
  '001-addresses-and-messages': addressesAndMessages,
  '002-facts': facts,
  '003-premium': premium,
  '004-api-keys-and-webhooks': apiKeysAndWebhooks,
  '005-forwarding': forwarding,
  '006-sign-in-link-binding': signInLinkBinding,
  '007-address-secrets': addressSecrets,
  '008-operator-shares': operatorShares,
  '009-bound-boxes': boundBoxes,
  '010-emails-and-metadata': emailsAndMetadata,
  '011-paid-sessions': paidSessions,
  '012-deliveries': deliveries,
  '013-faults': faults,
  '014-address-passwords': addressPasswords,
  '015-push': push,
  '016-announced-messages': announcedMessages,
  '017-own-domains-of-addresses': ownDomainsOfAddresses,
  '018-calls-by-host': callsByHost,
  '019-names-by-address': namesByAddress,
  '020-keys-of-addresses': keysOfAddresses,
  '021-payment-events-by-time': paymentEventsByTime,
  '022-last-ids': lastIds,
}

/** The names of all migrations that this version knows, in order. */
export const MIGRATIONS: readonly string[] = Object.keys(migrations)

const TABLE = 'kysely_migration'

export interface MigrateOptions {
  /** For tests: the name of the last migration to run. Default: all. */
  until?: string | undefined
  /** If true, and no migration has run on the database yet, `migrate` throws and creates nothing. */
  mustExist?: boolean
}

/**
 * Runs the missing migrations. Each transaction locks out other processes, which may continue after it: it looks again at
 * what is missing. Does nothing on a database that a newer version expanded, and throws for one from which a newer version
 * removed something.
 */
export async function migrate(
  db: Kysely<Schema>,
  dialect: MigrationDialect,
  { until = '999', mustExist = false }: MigrateOptions = {},
): Promise<void> {
  const known = Object.entries(migrations).filter(([name]) => name <= until)
  const provider = {
    getMigrations: () =>
      Promise.resolve(
        Object.fromEntries(
          known.map(([name, up]): [string, Migration] => [name, { up: (each: Kysely<never>) => up(each, dialect) }]),
        ),
      ),
  }
  /** Returns whether migrations are still missing. */
  const step = async (transaction: Transaction<Schema>): Promise<boolean> => {
    await dialect.lock(transaction as unknown as Kysely<never>)
    const missing = await countMissing(transaction, known, mustExist)
    if (missing === 0) return false
    const migrator = new Migrator({ db: transaction, provider, migrationTableName: TABLE })
    const { error } = await (dialect.isGradual ? migrator.migrateUp() : migrator.migrateToLatest())
    if (error !== undefined) throw error
    return dialect.isGradual && missing > 1
  }
  while (await db.transaction().execute(step));
}

async function countMissing(db: Kysely<Schema>, known: readonly [string, Up][], mustExist: boolean): Promise<number> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const done = tables.some(({ name }) => name === TABLE)
    ? await (db as unknown as Kysely<{ [TABLE]: { name: string } }>).selectFrom(TABLE).select('name').execute()
    : []
  const unknown = done.filter(({ name }) => !known.some(([each]) => each === name))
  if (mustExist && unknown.length === done.length)
    throw new Error('it has no tables of Mayfly; run mayfly start once, or set the database of the service')
  const contracted = unknown.find(({ name }) => /^\d+-contract-/.test(name))
  if (contracted)
    throw new Error(
      `The database was made by a newer version of Mayfly (it has the migration ${contracted.name}); update Mayfly`,
    )
  return unknown.length > 0 ? 0 : known.length - done.length
}

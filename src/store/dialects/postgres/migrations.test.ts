import { sql } from 'kysely'
import { inject } from 'vitest'
import { HOUR } from '#core/time.ts'
import { newDatabase } from '#test/support/program/postgres.ts'
import { migrationsContract } from '../../suite/migrate.suite.ts'
import { dropAt } from './hours.ts'
import { openPostgres } from './open.ts'
import { defaults } from './testing.ts'

migrationsContract('PostgreSQL', async () => {
  const { url, drop } = await newDatabase(inject('postgres'))
  return {
    open: (until) => openPostgres({ ...defaults, url, until }),
    async insertMessage({ write }, message) {
      const { addressId, id, receivedAt, expiresAt, size, sealedBody } = message
      const at = dropAt(message)
      for (const table of ['messages', 'bodies']) {
        await sql`
          create table ${sql.ref(`${table}_old`)} partition of ${sql.ref(table)}
          for values from (${sql.lit(at)}) to (${sql.lit(at + HOUR)})`.execute(write)
      }
      await sql`
        insert into messages (address_id, id, drop_at, revision, received_at, expires_at, size, seen)
        values (${addressId}, ${id}, ${at}, 1, ${receivedAt}, ${expiresAt}, ${size}, 0)`.execute(write)
      await sql`
        insert into bodies (address_id, id, drop_at, sealed_body)
        values (${addressId}, ${id}, ${at}, ${sealedBody})`.execute(write)
    },
    drop,
  }
})

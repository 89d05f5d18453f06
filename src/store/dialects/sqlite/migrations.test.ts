import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { migrationsContract } from '../../suite/migrate.suite.ts'
import { openIn, temporaryDirectory } from './fixtures.ts'

migrationsContract('SQLite', async () => {
  const directory = await temporaryDirectory()
  return {
    open: (until) => openIn(directory, { until }),
    async insertMessage({ write }, { addressId, id, receivedAt, expiresAt, size, sealedBody }) {
      await sql`
        insert into messages (address_id, id, revision, received_at, expires_at, size, seen)
        values (${addressId}, ${id}, 1, ${receivedAt}, ${expiresAt}, ${size}, 0)`.execute(write)
      await sql`insert into bodies (address_id, id, sealed_body) values (${addressId}, ${id}, ${sealedBody})`.execute(
        write,
      )
    },
    drop: () => rm(directory, { recursive: true }),
  }
})

import { HOUR } from '#core/time.ts'
import type { Database } from '../../database.ts'
import { deleteOldest } from '../oldest.ts'
import { written } from '../statements.ts'

/** How long the tombstone of an expired message is kept, in milliseconds. */
export const EXPIRED_TOMBSTONE = HOUR

/** Removes expired tombstones, up to `limit` per transaction. */
export async function purgeTombstones(db: Pick<Database, 'write' | 'batch'>, now: number, limit: number) {
  const key = ['address_id', 'revision'] as const
  const query = deleteOldest(db, 'tombstones', { key, where: ['expires_at', '<=', now], limit })
  let removed: number
  do removed = await written(db, query)
  while (removed >= limit)
}

import type { Database } from '../../database.ts'

/** How long the tombstone of an expired message is kept, in milliseconds. */
export const EXPIRED_TOMBSTONE = 3_600_000

/** Removes expired tombstones, up to `limit` per transaction. */
export async function purgeTombstones({ write, batch }: Pick<Database, 'write' | 'batch'>, now: number, limit: number) {
  const query = write
    .deleteFrom('tombstones')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('address_id', 'revision'),
        'in',
        selectFrom('tombstones as old')
          .select(['old.address_id', 'old.revision'])
          .where('old.expires_at', '<=', now)
          .orderBy('old.expires_at')
          .limit(limit)
          .$asTuple('address_id', 'revision'),
      ),
    )
    .compile()
  for (;;) {
    const [{ affected }] = await batch([query])
    if (affected < limit) return
  }
}

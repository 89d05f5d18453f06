import type { LetterStore, NewLetter } from '#core/email/email.ts'
import type { Database } from '../../database.ts'

/** A letter's row: due at once. */
export const toLetterRow = ({ id, sealed, createdAt }: NewLetter) => ({
  id,
  sealed,
  created_at: createdAt,
  due_at: createdAt,
  attempts: 0,
})

export function createLetterStore(db: Database): LetterStore {
  const { read, write } = db

  return {
    async add(letters) {
      await db.batch(
        letters.map((letter) =>
          write
            .insertInto('letters')
            .values(toLetterRow(letter))
            .onConflict((conflict) => conflict.doNothing())
            .compile(),
        ),
      )
    },

    async take(now, leasedUntil, limit) {
      const [{ rows }] = await db.batch([
        write
          .updateTable('letters')
          .set({ due_at: leasedUntil })
          .where('id', 'in', (eb) =>
            eb
              .selectFrom('letters as due')
              .select('due.id')
              .where('due.due_at', '<=', now)
              .orderBy('due.due_at')
              .orderBy('due.id')
              .limit(limit),
          )
          // Asked once more of a row that another node held meanwhile: it may have taken it.
          .where('due_at', '<=', now)
          .returning(['id', 'sealed', 'created_at as createdAt', 'attempts'])
          .compile(),
      ])
      return rows
    },

    async remove(id) {
      await db.batch([write.deleteFrom('letters').where('id', '=', id).compile()])
    },

    async postpone(id, dueAt) {
      await db.batch([
        write
          .updateTable('letters')
          .set((eb) => ({ due_at: dueAt, attempts: eb('attempts', '+', 1) }))
          .where('id', '=', id)
          .compile(),
      ])
    },

    async waiting() {
      const { count } = await read
        .selectFrom('letters')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
  }
}

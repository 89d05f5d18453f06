import type { EmailStore, NewEmail } from '#core/email/email.ts'
import type { Database } from '../../database.ts'
import { rowCount } from '../statements.ts'

/** Returns the row of a new email, which is due at once. */
export const toEmailRow = ({ id, sealed, createdAt }: NewEmail) => ({
  id,
  sealed,
  created_at: createdAt,
  due_at: createdAt,
  attempts: 0,
})

export function createEmailStore(db: Database): EmailStore {
  const { read, write } = db

  return {
    async add(emails) {
      await db.batch(
        emails.map((email) =>
          write
            .insertInto('emails')
            .values(toEmailRow(email))
            .onConflict((conflict) => conflict.doNothing())
            .compile(),
        ),
      )
    },

    async take(now, leasedUntil, limit) {
      const [{ rows }] = await db.batch([
        write
          .updateTable('emails')
          .set({ due_at: leasedUntil })
          .where('id', 'in', (eb) =>
            eb
              .selectFrom('emails as due')
              .select('due.id')
              .where('due.due_at', '<=', now)
              .orderBy('due.due_at')
              .orderBy('due.id')
              .limit(limit),
          )
          // Repeats the condition: another node may have leased a row while this statement waited for it.
          .where('due_at', '<=', now)
          .returning(['id', 'sealed', 'created_at as createdAt', 'attempts'])
          .compile(),
      ])
      return rows
    },

    async remove(id) {
      await db.batch([write.deleteFrom('emails').where('id', '=', id).compile()])
    },

    async postpone(id, dueAt) {
      await db.batch([
        write
          .updateTable('emails')
          .set((eb) => ({ due_at: dueAt, attempts: eb('attempts', '+', 1) }))
          .where('id', '=', id)
          .compile(),
      ])
    },

    waiting: () => rowCount(read.selectFrom('emails')),
  }
}

import { type CompiledQuery, sql } from 'kysely'
import type { AppendOutcome, MessageStore, NewMessage, OperatorShare } from '#core/mailbox/message-store.ts'
import type { Database, Result } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { createQueue } from './queue.ts'

/**
 * The hot path: three statements per message, each compiled once, and all messages of a call in one transaction.
 * Forwarded messages need additional statements.
 */
export function createAppend(db: Pick<Database, 'read' | 'write' | 'snapshot' | 'batch'>): MessageStore['append'] {
  const { read, write } = db
  const queue = createQueue(db)

  /** Inserts the message if the address was alive when it arrived and has room for it. */
  const insertMessage = prepared<Omit<NewMessage, 'share'> & { share: OperatorShare | null }>()((value) =>
    write
      .insertInto('messages')
      .columns(['address_id', 'id', 'revision', 'received_at', 'expires_at', 'size', 'seen', 'share'])
      .expression(({ selectFrom }) =>
        selectFrom('addresses')
          .select((eb) => [
            'addresses.id as address_id',
            eb.val(value('id')).as('id'),
            eb('revision', '+', sql.lit(1)).as('revision'),
            eb.val(value('receivedAt')).as('received_at'),
            eb.val(value('expiresAt')).as('expires_at'),
            eb.val(value('size')).as('size'),
            sql.lit(0).as('seen'),
            eb.val(value('share')).as('share'),
          ])
          .where('addresses.id', '=', value('addressId'))
          .where('addresses.expires_at', '>', value('receivedAt'))
          .where((eb) => eb(eb('used_bytes', '+', value('size')), '<=', value('limitBytes'))),
      ),
  )

  const countMessage = prepared<NewMessage>()((value) =>
    write
      .updateTable('addresses')
      .set((eb) => ({ used_bytes: eb('used_bytes', '+', value('size')), revision: eb('revision', '+', 1) }))
      .where('id', '=', value('addressId'))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('messages')
            .select('id')
            .where('address_id', '=', value('addressId'))
            .where('id', '=', value('id')),
        ),
      ),
  )

  const insertBody = prepared<NewMessage>()((value) =>
    write
      .insertInto('bodies')
      .columns(['address_id', 'id', 'sealed_body'])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select(['address_id', 'id', eb.val(value('sealedBody')).as('sealed_body')])
          .where('address_id', '=', value('addressId'))
          .where('id', '=', value('id')),
      ),
  )

  const isAlive = prepared<NewMessage>()((value) =>
    read
      .selectFrom('addresses')
      .select('id')
      .where('id', '=', value('addressId'))
      .where('expires_at', '>', value('receivedAt')),
  )

  return async (messages) => {
    const statements: CompiledQuery<unknown>[] = []
    const places = messages.map((message) => {
      const place = statements.length
      statements.push(
        insertMessage({ ...message, share: message.share ?? null }),
        countMessage(message),
        insertBody(message),
        ...queue(message),
      )
      return place
    })
    const results: Result<unknown>[] = await db.batch(statements)
    const outcomes = places.map((place): AppendOutcome => (results[place]?.affected === 1 ? 'stored' : 'gone'))
    // A rejection is rare, so only now look up whether the address is full or missing.
    const refused = messages.filter((_, i) => outcomes[i] === 'gone')
    if (refused.length === 0) return outcomes
    const alive = await db.snapshot(refused.map(isAlive))
    const full = new Set(refused.filter((_, i) => alive[i]?.rows.length === 1))
    return messages.map((message, i) => (full.has(message) ? 'full' : (outcomes[i] ?? 'gone')))
  }
}

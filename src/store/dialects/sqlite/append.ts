import { type CompiledQuery, expressionBuilder, sql } from 'kysely'
import type { MessageId } from '#core/ids.ts'
import type { AppendOutcome, MessageStore, NewMessage } from '#core/mailbox/message-store.ts'
import type { Database, Result } from '../../database.ts'
import { prepared, type ValuesOf } from '../../prepared.ts'
import type { Schema } from '../../schema/schema.ts'
import { shareValue } from '../../schema/share.ts'
import { createQueue } from './queue.ts'

/**
 * The hot path: four statements per message, each compiled once, and all messages of a call in one transaction.
 * Forwarded messages need additional statements.
 */
export function createAppend(db: Pick<Database, 'write' | 'batch'>): MessageStore['append'] {
  const { write } = db
  const queue = createQueue(db)

  /**
   * The id of the last message of the inbox. One that an earlier version stored counts as long as it exists, because that
   * version doesn't write `last_id`.
   */
  const lastId = (value: ValuesOf<Pick<NewMessage, 'addressId'>>) =>
    sql<MessageId>`
      max(addresses.last_id, coalesce((select max(id) from messages where address_id = ${value('addressId')}), ''))`

  /**
   * Inserts the message if the address was alive when it arrived, has room for it and never had a later message: the clock
   * of this process may have been set back before it started.
   */
  const insertMessage = prepared<Omit<NewMessage, 'share'> & { share: string | null }>()((value) =>
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
          .where((eb) => eb(eb('used_bytes', '+', value('size')), '<=', value('limitBytes')))
          .where(lastId(value), '<', value('id')),
      ),
  )

  const isInserted = (value: ValuesOf<NewMessage>) =>
    expressionBuilder<Schema>().exists(
      write
        .selectFrom('messages')
        .select('messages.id')
        .where('messages.address_id', '=', value('addressId'))
        .where('messages.id', '=', value('id')),
    )

  const countMessage = prepared<NewMessage>()((value) =>
    write
      .updateTable('addresses')
      .set((eb) => ({
        used_bytes: eb('used_bytes', '+', value('size')),
        revision: eb('revision', '+', 1),
        last_id: value('id'),
      }))
      .where('id', '=', value('addressId'))
      .where(isInserted(value)),
  )

  /**
   * For a message that was not inserted, returns why: the used bytes and the last id of its inbox, or no row if the address
   * is not alive. It is part of the transaction, because a later look-up could fail.
   */
  const refusal = prepared<NewMessage>()((value) =>
    write
      .selectFrom('addresses')
      .select(['used_bytes as usedBytes', lastId(value).as('lastId')])
      .where('addresses.id', '=', value('addressId'))
      .where('expires_at', '>', value('receivedAt'))
      .where(({ not }) => not(isInserted(value))),
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

  return async (messages) => {
    const statements: CompiledQuery<unknown>[] = []
    const places = messages.map((message) => {
      const place = statements.length
      statements.push(
        insertMessage({ ...message, share: shareValue(message) }),
        countMessage(message),
        insertBody(message),
        refusal(message),
        ...queue(message),
      )
      return place
    })
    const results: Result<unknown>[] = await db.batch(statements)
    return messages.map(({ size, limitBytes }, i): AppendOutcome => {
      const place = places[i] ?? 0
      if (results[place]?.affected === 1) return 'stored'
      const [inbox] = (results[place + 3]?.rows ?? []) as { usedBytes: number; lastId: MessageId }[]
      if (!inbox) return 'gone'
      return inbox.usedBytes + size > limitBytes ? 'full' : { after: inbox.lastId }
    })
  }
}

import { type CompiledQuery, sql } from 'kysely'
import type { NewForwardingJob } from '#core/forwarding/forwarding.ts'
import type { AddressId, MessageId } from '#core/ids.ts'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'

interface Key {
  addressId: AddressId
  messageId: MessageId
}

/**
 * Compiles the statements that queue a message for forwarding, if it was stored just before: one for the message and
 * one per job.
 */
export function createQueue({ write }: Pick<Database, 'write'>) {
  const insertMail = prepared<Key & { sealedMail: Uint8Array }>()((value) =>
    write
      .insertInto('forwarding_mails')
      .columns(['message_id', 'address_id', 'sealed_mail'])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select(['id as message_id', 'address_id', eb.val(value('sealedMail')).as('sealed_mail')])
          .where('address_id', '=', value('addressId'))
          .where('id', '=', value('messageId')),
      ),
  )

  const insertJob = prepared<Key & NewForwardingJob & { dueAt: number }>()((value) =>
    write
      .insertInto('forwarding_jobs')
      .columns([
        'id',
        'forwarding_id',
        'destination_key',
        'address_id',
        'message_id',
        'created_at',
        'due_at',
        'attempts',
      ])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select([
            eb.val(value('id')).as('id'),
            eb.val(value('forwardingId')).as('forwarding_id'),
            eb.val(value('destinationKey')).as('destination_key'),
            'address_id',
            'messages.id as message_id',
            'received_at as created_at',
            eb.val(value('dueAt')).as('due_at'),
            sql.lit(0).as('attempts'),
          ])
          .where('address_id', '=', value('addressId'))
          .where('messages.id', '=', value('messageId')),
      ),
  )

  return ({ addressId, id: messageId, receivedAt, forwarding }: NewMessage): CompiledQuery<unknown>[] => {
    if (!forwarding || forwarding.jobs.length === 0) return []
    const { sealedMail, jobs, heldUntil: dueAt = receivedAt } = forwarding
    return [
      insertMail({ addressId, messageId, sealedMail }),
      ...jobs.map((job) => insertJob({ ...job, addressId, messageId, dueAt })),
    ]
  }
}

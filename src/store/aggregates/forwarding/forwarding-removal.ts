import type { AddressId, MessageId } from '#core/ids.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { waits } from '../due.ts'

/** The tables of forwardings without their sealed messages, in the order in which all statements write. */
export const FORWARDING_TABLES = ['forwardings', 'forwarding_bounces', 'forwarding_jobs'] as const

interface Key {
  addressId: AddressId
  messageId: MessageId
}

/** Statements that remove forwardings and their jobs. Their transactions lock the inbox. */
export function createForwardingRemoval({ write }: Pick<Database, 'write'>) {
  const deleteOfMessage = (['forwarding_jobs', 'forwarding_mails'] as const).map((table) =>
    prepared<Key>()((value) =>
      write.deleteFrom(table).where('address_id', '=', value('addressId')).where('message_id', '=', value('messageId')),
    ),
  )

  const withoutJobs = write
    .deleteFrom('forwarding_mails')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('forwarding_jobs')
            .select('forwarding_jobs.id')
            .whereRef('forwarding_jobs.address_id', '=', 'forwarding_mails.address_id')
            .whereRef('forwarding_jobs.message_id', '=', 'forwarding_mails.message_id')
            .where(waits),
        ),
      ),
    )

  return {
    ofMessage: (key: Key) => deleteOfMessage.map((statement) => statement(key)),
    /** Removes a sealed message for which no job waits any longer. */
    deleteSpentMail: prepared<Key>()((value) =>
      withoutJobs.where('address_id', '=', value('addressId')).where('message_id', '=', value('messageId')),
    ),
    /** Removes all sealed messages of an address for which no job waits any longer. */
    deleteSpentMails: prepared<Pick<Key, 'addressId'>>()((value) =>
      withoutJobs.where('address_id', '=', value('addressId')),
    ),
  }
}

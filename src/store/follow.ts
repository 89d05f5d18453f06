import type { MessageRow } from '#core/mailbox/message-store.ts'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'

/**
 * Compiles the statement that follows a change of a message: it sets the revision of the inbox to that of the message.
 */
export const createFollow = ({ write }: Pick<Database, 'write'>) =>
  prepared<Pick<MessageRow, 'addressId' | 'id'>>()((value) =>
    write
      .updateTable('addresses')
      .from('messages')
      .set((eb) => ({ revision: eb.ref('messages.revision') }))
      .where('addresses.id', '=', value('addressId'))
      .where('messages.address_id', '=', value('addressId'))
      .where('messages.id', '=', value('id'))
      .whereRef('messages.revision', '>', 'addresses.revision'),
  )

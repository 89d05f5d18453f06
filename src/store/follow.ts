import type { MessageRow } from '#core/mailbox/message-store.ts'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'

/** After a change of a message: the inbox gets the revision that the message has. */
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

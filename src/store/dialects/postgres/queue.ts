import { type CompiledQuery, sql } from 'kysely'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { type Packed, packed } from './packed.ts'

interface Mails extends Packed {
  messageIds: string[]
  addressIds: string[]
}

interface Jobs {
  ids: string[]
  forwardingIds: string[]
  destinationKeys: string[]
  addressIds: string[]
  messageIds: string[]
  receivedAts: number[]
  dueAts: number[]
}

/**
 * Compiles the statements that queue stored messages for forwarding: two for any number of messages, none if no message
 * is forwarded.
 */
export function createQueue({ write }: Pick<Database, 'write'>) {
  const insertMails = prepared<Mails>()((value) =>
    sql`
      insert into forwarding_mails (message_id, address_id, sealed_mail)
      select message_id, address_id, substring(${value('bytes')}::bytea from first for length)
        from unnest(${value('messageIds')}::text[], ${value('addressIds')}::text[], ${value('starts')}::int[],
          ${value('lengths')}::int[]) as given (message_id, address_id, first, length)`.compile(write),
  )
  const insertJobs = prepared<Jobs>()((value) =>
    sql`
      insert into forwarding_jobs
        (id, forwarding_id, destination_key, address_id, message_id, created_at, due_at, attempts)
      select id, forwarding_id, destination_key, address_id, message_id, received_at, due_at, 0
        from unnest(${value('ids')}::text[], ${value('forwardingIds')}::text[], ${value('destinationKeys')}::text[],
          ${value('addressIds')}::text[], ${value('messageIds')}::text[], ${value('receivedAts')}::bigint[],
          ${value('dueAts')}::bigint[])
          as given (id, forwarding_id, destination_key, address_id, message_id, received_at, due_at)`.compile(write),
  )

  return (messages: readonly NewMessage[]): CompiledQuery<unknown>[] => {
    const mails = messages.flatMap(({ addressId, id: messageId, forwarding }) =>
      forwarding && forwarding.jobs.length > 0 ? [{ addressId, messageId, sealedMail: forwarding.sealedMail }] : [],
    )
    if (mails.length === 0) return []
    const jobs = messages.flatMap(({ addressId, id: messageId, receivedAt, forwarding }) =>
      (forwarding?.jobs ?? []).map((job) => ({
        ...job,
        addressId,
        messageId,
        receivedAt,
        dueAt: forwarding?.heldUntil ?? receivedAt,
      })),
    )
    return [
      insertMails({
        messageIds: mails.map(({ messageId }) => messageId),
        addressIds: mails.map(({ addressId }) => addressId),
        ...packed(mails.map(({ sealedMail }) => sealedMail)),
      }),
      insertJobs({
        ids: jobs.map(({ id }) => id),
        forwardingIds: jobs.map(({ forwardingId }) => forwardingId),
        destinationKeys: jobs.map(({ destinationKey }) => destinationKey),
        addressIds: jobs.map(({ addressId }) => addressId),
        messageIds: jobs.map(({ messageId }) => messageId),
        receivedAts: jobs.map(({ receivedAt }) => receivedAt),
        dueAts: jobs.map(({ dueAt }) => dueAt),
      }),
    ]
  }
}

import { type CompiledQuery, sql } from 'kysely'
import type { AddressId, MessageId } from '#core/ids.ts'
import type { NewSummary } from '#core/mailbox/message-store.ts'
import type { NewWebhookCall, QueuedCalls } from '#core/webhooks/webhook.ts'
import type { Database, Result } from '../../database.ts'
import { prepared } from '../../prepared.ts'

interface CallStatements {
  /** Run before the statements that store the summaries, in the same transaction. */
  statements: CompiledQuery<unknown>[]
  /** Returns what the statements did. */
  outcome(results: readonly Result<unknown>[]): QueuedCalls
}

/** Creates the statements that queue the calls of messages whose first summary is about to be stored. */
export function createQueueCalls({ write, dropAt }: Pick<Database, 'write' | 'dropAt'>) {
  const withoutSummary = (addressId: AddressId, messageId: MessageId, droppedAt: number) =>
    write
      .selectFrom('messages')
      // On PostgreSQL, messages may outlast their expired address.
      .innerJoin('addresses', 'addresses.id', 'messages.address_id')
      .select('messages.id')
      .where('messages.address_id', '=', addressId)
      .where('messages.id', '=', messageId)
      .where('messages.sealed_summary', 'is', null)
      // Reads one partition.
      .$if(dropAt !== undefined, (query) => query.where(sql`messages.drop_at`, '=', droppedAt))

  const isFirst = prepared<Pick<NewSummary, 'addressId' | 'id'> & { droppedAt: number }>()((value) =>
    withoutSummary(value('addressId'), value('id'), value('droppedAt')),
  )

  const insert = prepared<NewWebhookCall & { max: number; droppedAt: number }>()((value) =>
    write
      .insertInto('webhook_deliveries')
      .columns([
        'id',
        'webhook_id',
        'host_key',
        'address_id',
        'message_id',
        'sealed',
        'created_at',
        'due_at',
        'attempts',
      ])
      .expression((eb) =>
        eb
          .selectFrom('webhooks')
          .select(({ val, lit, ref }) => [
            val(value('id')).as('id'),
            ref('webhooks.id').as('webhook_id'),
            ref('webhooks.host_key').as('host_key'),
            val(value('addressId')).as('address_id'),
            val(value('messageId')).as('message_id'),
            val(value('sealed')).as('sealed'),
            val(value('createdAt')).as('created_at'),
            val(value('createdAt')).as('due_at'),
            lit(0).as('attempts'),
          ])
          .where('webhooks.id', '=', value('webhookId'))
          .where('is_off', '=', 0)
          .where(({ exists }) => exists(withoutSummary(value('addressId'), value('messageId'), value('droppedAt'))))
          .where(({ eb: each, selectFrom }) =>
            each(
              selectFrom('webhook_deliveries as waiting')
                .select(({ fn }) => fn.countAll<number>().as('count'))
                .where('waiting.webhook_id', '=', value('webhookId')),
              '<',
              value('max'),
            ),
          ),
      )
      .onConflict((conflict) => conflict.column('id').doNothing()),
  )

  return (summaries: readonly NewSummary[]): CallStatements => {
    const statements: CompiledQuery<unknown>[] = []
    const messages = new Map<MessageId, { place: number; calls: number }>()
    for (const { calls, ...message } of summaries) {
      const { addressId, id } = message
      // Two summaries of one message that are stored together have the same calls.
      if (!calls || messages.has(id)) continue
      const droppedAt = dropAt?.(message) ?? 0
      messages.set(id, { place: statements.length, calls: calls.list.length })
      statements.push(
        isFirst({ addressId, id, droppedAt }),
        ...calls.list.map((each) => insert({ ...each, max: calls.max, droppedAt })),
      )
    }
    return {
      statements,
      outcome(results) {
        const outcome = { queued: 0, dropped: 0 }
        for (const { place, calls } of messages.values()) {
          if (results[place]?.rows.length === 0) continue
          const queued = results.slice(place + 1, place + 1 + calls).reduce((sum, { affected }) => sum + affected, 0)
          outcome.queued += queued
          outcome.dropped += calls - queued
        }
        return outcome
      },
    }
  }
}

import { expressionBuilder, sql } from 'kysely'
import type { PushStore, WaitingPush } from '#core/push/push.ts'
import type { Database } from '../../database.ts'
import type { Schema } from '../../schema/schema.ts'
import { dueIds } from '../due.ts'
import { isCurrent } from '../mailbox/address-secret.ts'
import { rowCount, written } from '../statements.ts'

export function createPushStore(db: Database): PushStore {
  const { read, write } = db

  const idle = { message_id: null, queued_at: null, due_at: null }

  /** A condition: the session with which the subscription ends, if there is one, has not ended. */
  const hasSession = (now: number) =>
    expressionBuilder<Schema, 'push_subscriptions'>().or([
      sql<boolean>`session_id is null`,
      expressionBuilder<Schema, 'push_subscriptions'>().exists(
        read
          .selectFrom('account_sessions')
          .select('account_sessions.id')
          .where('account_sessions.id', '=', sql<string>`session_id`)
          .where('account_sessions.expires_at', '>', now),
      ),
    ])

  /** Ends a push. If another message arrived meanwhile, its push is due at `dueAt`. */
  async function end({ id, messageId }: WaitingPush, at: number, dueAt: number, sent: object) {
    const push = write.updateTable('push_subscriptions').where('id', '=', id)
    await db.batch([
      // In this order, because the second statement clears what the first one looks for.
      push
        .set({ ...sent, queued_at: at, due_at: dueAt })
        .where('message_id', '<>', messageId)
        .compile(),
      push
        .set({ ...idle, ...sent })
        .where('message_id', '=', messageId)
        .compile(),
    ])
  }

  return {
    async subscribe({ id, addressId, sealed, hostKey, sessionId, createdAt }, max, now, secretId) {
      const [{ affected }] = await db.batch(
        [
          write
            .updateTable('addresses')
            .set({ pushes: 1 })
            .where('id', '=', addressId)
            .where('expires_at', '>', now)
            .where(isCurrent(secretId))
            .compile(),
          write
            .insertInto('push_subscriptions')
            .columns(['id', 'address_id', 'sealed', 'host_key', 'session_id', 'created_at', 'pushed_at', 'attempts'])
            .expression((eb) =>
              eb
                .selectFrom('addresses')
                .select(({ val, lit, ref }) => [
                  val(id).as('id'),
                  ref('addresses.id').as('address_id'),
                  val(sealed).as('sealed'),
                  val(hostKey).as('host_key'),
                  val(sessionId).as('session_id'),
                  val(createdAt).as('created_at'),
                  lit(0).as('pushed_at'),
                  lit(0).as('attempts'),
                ])
                .where('addresses.id', '=', addressId)
                .where('addresses.expires_at', '>', now)
                .where(isCurrent(secretId)),
            )
            .onConflict((conflict) =>
              conflict.column('id').doUpdateSet({ sealed, session_id: sessionId, created_at: createdAt }),
            )
            .compile(),
          write
            .deleteFrom('push_subscriptions')
            .where('address_id', '=', addressId)
            .where('id', 'not in', (eb) =>
              eb
                .selectFrom('push_subscriptions as latest')
                .select('latest.id')
                .where('latest.address_id', '=', addressId)
                .where(hasSession(now))
                .orderBy('latest.created_at', 'desc')
                .orderBy('latest.id')
                .limit(max),
            )
            .compile(),
        ],
        [addressId],
      )
      return affected > 0
    },

    async list(addressId, now) {
      return read
        .selectFrom('push_subscriptions')
        .select(['id', 'sealed', 'created_at as createdAt'])
        .where('address_id', '=', addressId)
        .where(hasSession(now))
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    },

    async remove(addressId, id) {
      await db.batch([
        write.deleteFrom('push_subscriptions').where('id', '=', id).where('address_id', '=', addressId).compile(),
      ])
    },

    async forget(id) {
      await db.batch([write.deleteFrom('push_subscriptions').where('id', '=', id).compile()])
    },

    queue: (addressId, messageId, now, gap) =>
      written(
        db,
        write
          .updateTable('push_subscriptions')
          .set((eb) => ({
            message_id: messageId,
            queued_at: eb.fn.coalesce('queued_at', eb.val(now)),
            due_at: eb.fn.coalesce(
              'due_at',
              eb
                .case()
                .when(eb('pushed_at', '>', now - gap))
                .then(eb('pushed_at', '+', gap))
                .else(eb.val(now))
                .end(),
            ),
          }))
          .where('address_id', '=', addressId),
      ),

    async take(now, leasedUntil, rules) {
      const [{ rows }] = await db.batch([
        write
          .updateTable('push_subscriptions')
          .set({ due_at: leasedUntil })
          .where('id', 'in', dueIds(db, 'push_subscriptions', now, rules))
          // Repeats the condition: another node may have leased a row while this statement waited for it.
          .where('due_at', '<=', now)
          .returning('id')
          .compile(),
      ])
      if (rows.length === 0) return []
      const ids = rows.map(({ id }) => id)
      const found = await read
        .selectFrom('push_subscriptions')
        .innerJoin('addresses', 'addresses.id', 'push_subscriptions.address_id')
        .select((eb) => [
          'push_subscriptions.id',
          'address_id as addressId',
          'sealed',
          'host_key as hostKey',
          sql<string>`message_id`.as('messageId'),
          'pushed_at as pushedAt',
          sql<number>`queued_at`.as('queuedAt'),
          'attempts',
          'addresses.expires_at as expiresAt',
          eb
            .selectFrom('messages')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('messages.address_id', '=', 'push_subscriptions.address_id')
            .where('messages.expires_at', '>', now)
            .where('seen', '=', 0)
            .as('unread'),
        ])
        .where('push_subscriptions.id', 'in', ids)
        .where('addresses.expires_at', '>', now)
        .where('message_id', 'is not', null)
        .where(hasSession(now))
        .execute()
      const live = new Set(found.map(({ id }) => id))
      const ended = ids.filter((id) => !live.has(id))
      if (ended.length > 0) {
        const remove = write.deleteFrom('push_subscriptions').where('id', 'in', ended)
        // Only rows that this call still leases: a node whose lease had ended may have recorded its push meanwhile.
        await db.batch([remove.where('due_at', '=', leasedUntil).compile()])
      }
      return found.map((row): WaitingPush => ({ ...row, unread: Number(row.unread) }))
    },

    done: (push, at, gap) => end(push, at, at + gap, { pushed_at: at, attempts: 0 }),

    skip: (push, at) => end(push, at, at, {}),

    async retry({ id, attempts }, dueAt) {
      await db.batch([
        write
          .updateTable('push_subscriptions')
          .set({ due_at: dueAt, attempts: attempts + 1 })
          .where('id', '=', id)
          // Does nothing if another node has recorded an attempt since the lease ended.
          .where('attempts', '=', attempts)
          .where('message_id', 'is not', null)
          .compile(),
      ])
    },

    waiting: () => rowCount(read.selectFrom('push_subscriptions').where('due_at', 'is not', null)),
  }
}

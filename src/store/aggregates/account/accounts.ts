import { expressionBuilder } from 'kysely'
import { type AccountSession, type AccountStore, SIGN_IN_TRIES } from '#core/account/account.ts'
import type { SubscriptionId } from '#core/ids.ts'
import type { Database } from '../../database.ts'
import { type Bit, fromBit, toBit } from '../../schema/bit.ts'
import type { Schema } from '../../schema/schema.ts'
import { createSubscriptionRow, newTransactionName } from '../billing/subscription-row.ts'
import { deleteOldest } from '../oldest.ts'
import { hasWritten, written } from '../statements.ts'

const LINK_COLUMNS = [
  'token_hash as tokenHash',
  'subscription_id as subscriptionId',
  'browser_hash as browserHash',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'used',
] as const

const SESSION_COLUMNS = [
  'id',
  'token_hash as tokenHash',
  'subscription_id as subscriptionId',
  'sealed_label as sealedLabel',
  'created_at as createdAt',
  'seen_at as seenAt',
  'expires_at as expiresAt',
] as const

const toRow = (session: AccountSession) => ({
  id: session.id,
  token_hash: session.tokenHash,
  subscription_id: session.subscriptionId,
  sealed_label: session.sealedLabel,
  created_at: session.createdAt,
  seen_at: session.seenAt,
  expires_at: session.expiresAt,
})

const toLink = <Row extends { used: Bit }>({ used, ...link }: Row) => ({ ...link, used: fromBit(used) })

/**
 * The maximum number of links of a browser that a code is compared with. Each costs a write, and browsers rarely
 * request as many before they expire.
 */
const LINKS_OF_BROWSER = 5

export function createAccountStore(db: Database): AccountStore {
  const { read, write } = db
  const { touch, isHeld, isBelow, insertInto } = createSubscriptionRow(db)
  const unexpiredLinks = (now: number) =>
    read
      .selectFrom('sign_in_links')
      .select(LINK_COLUMNS)
      .where(({ or, eb }) => or([eb('used', '=', 1), eb('tries', '<', SIGN_IN_TRIES)]))
      .where('expires_at', '>', now)
  const unexpiredSessions = (now: number) =>
    read.selectFrom('account_sessions').select(SESSION_COLUMNS).where('expires_at', '>', now)

  const unconfirmed = (id: SubscriptionId) =>
    write.selectFrom('subscriptions').select('subscriptions.id').where('id', '=', id).where('confirmed', '=', 0)
  const endUnconfirmed = (id: SubscriptionId) =>
    write
      .deleteFrom('account_sessions')
      .where('subscription_id', '=', id)
      .where(({ exists }) => exists(unconfirmed(id)))

  const forgetLinks = (now: number, limit: number) =>
    deleteOldest(db, 'sign_in_links', { key: ['token_hash'], where: ['expires_at', '<=', now], limit })

  const forgetSessions = (now: number, limit: number) =>
    deleteOldest(db, 'account_sessions', { key: ['id'], where: ['expires_at', '<=', now], limit })

  return {
    async addLink({ subscriptionId, tokenHash, browserHash, createdAt, expiresAt }, since, max) {
      const writing = { id: subscriptionId, transaction: newTransactionName() }
      const recent = write
        .selectFrom('sign_in_links')
        .where('subscription_id', '=', subscriptionId)
        .where('created_at', '>', since)
        // Links with later times were created while the clock was ahead, and do not count.
        .where('created_at', '<', createdAt + Math.max(1, createdAt - since))
      const row = {
        token_hash: tokenHash,
        subscription_id: subscriptionId,
        browser_hash: browserHash,
        created_at: createdAt,
        expires_at: expiresAt,
        used: toBit(false),
        tries: 0,
      }
      const [, { affected }] = await db.batch([
        touch(writing),
        insertInto('sign_in_links', row, writing, isBelow(max, recent)).compile(),
      ])
      return affected > 0
    },

    async findLink(tokenHash, now) {
      const row = await unexpiredLinks(now).where('token_hash', '=', tokenHash).executeTakeFirst()
      return row && toLink(row)
    },

    async linksOf(browserHash, now) {
      const rows = await unexpiredLinks(now)
        .where('browser_hash', '=', browserHash)
        .orderBy('used')
        .orderBy('created_at', 'desc')
        .orderBy('token_hash')
        .limit(LINKS_OF_BROWSER)
        .execute()
      return rows.map(toLink)
    },

    tryLink: (tokenHash, now) =>
      hasWritten(
        db,
        write
          .updateTable('sign_in_links')
          .set((eb) => ({ tries: eb('tries', '+', 1) }))
          .where('token_hash', '=', tokenHash)
          .where('used', '=', 0)
          .where('tries', '<', SIGN_IN_TRIES)
          .where('expires_at', '>', now),
      ),

    async addSession(session, linkHash, replaced) {
      const { subscriptionId } = session
      const writing = { id: subscriptionId, transaction: newTransactionName() }
      const link = expressionBuilder<Schema>().exists(
        write
          .selectFrom('sign_in_links')
          .select('sign_in_links.token_hash')
          .where('token_hash', '=', linkHash)
          .where('subscription_id', '=', subscriptionId)
          .where('used', '=', 0)
          .where('expires_at', '>', session.createdAt),
      )
      // Aliased, because a statement below deletes from the same table.
      const added = expressionBuilder<Schema>().exists(
        write.selectFrom('account_sessions as added').select('added.id').where('added.id', '=', session.id),
      )
      const own = read.selectFrom('account_sessions as own').select('own.id')
      const replacements =
        replaced === undefined
          ? []
          : [
              write
                .updateTable('push_subscriptions')
                .set({ session_id: session.id })
                .where('session_id', 'in', own.where('id', '=', replaced).where('subscription_id', '=', subscriptionId))
                .where(added)
                .compile(),
              write
                .deleteFrom('account_sessions')
                .where('id', '=', replaced)
                .where('subscription_id', '=', subscriptionId)
                .where(added)
                .compile(),
            ]
      const [, { affected }] = await db.batch([
        touch(writing),
        insertInto('account_sessions', toRow(session), writing, link).compile(),
        ...replacements,
        write
          .updateTable('sign_in_links')
          .set({ used: toBit(true) })
          .where('token_hash', '=', linkHash)
          .where(added)
          .compile(),
        endUnconfirmed(subscriptionId).where('id', '!=', session.id).where(added).compile(),
        write
          .updateTable('subscriptions')
          .set({ confirmed: toBit(true) })
          .where('id', '=', subscriptionId)
          .where(added)
          .compile(),
      ])
      return affected > 0
    },

    async addPaidSession(session, orderId) {
      const { id, subscriptionId } = session
      const writing = { id: subscriptionId, transaction: newTransactionName() }
      const sources = write.selectFrom('payment_sources').select('ref').where('subscription_id', '=', subscriptionId)
      const [, , { affected }] = await db.batch([
        touch(writing),
        write
          .updateTable('orders')
          .set({ session_id: id })
          .where('id', '=', orderId)
          .where('state', '=', 'paid')
          .where('session_id', 'is', null)
          .where(isHeld(writing))
          .where(({ exists }) => exists(unconfirmed(subscriptionId)))
          .where(({ exists }) => exists(sources.where('order_id', '=', orderId)))
          .where(({ exists, not }) => not(exists(sources.where('order_id', '!=', orderId))))
          .compile(),
        insertInto(
          'account_sessions',
          toRow(session),
          writing,
          expressionBuilder<Schema>().exists(
            write.selectFrom('orders').select('orders.id').where('session_id', '=', id),
          ),
        ).compile(),
      ])
      return affected > 0
    },

    async endUnconfirmed(subscriptionId) {
      await db.batch([
        touch({ id: subscriptionId, transaction: newTransactionName() }),
        endUnconfirmed(subscriptionId).compile(),
      ])
    },

    findSession: (tokenHash, now): Promise<AccountSession | undefined> =>
      unexpiredSessions(now).where('token_hash', '=', tokenHash).executeTakeFirst(),

    async touchSession(id, seenAt, expiresAt) {
      await db.batch([
        write
          .updateTable('account_sessions')
          .set({ seen_at: seenAt, expires_at: expiresAt })
          .where('id', '=', id)
          .compile(),
      ])
    },

    sessions: (subscriptionId, now): Promise<AccountSession[]> =>
      unexpiredSessions(now)
        .where('subscription_id', '=', subscriptionId)
        .orderBy('seen_at', 'desc')
        .orderBy('id')
        .execute(),

    endSession: (subscriptionId, id) =>
      hasWritten(
        db,
        write.deleteFrom('account_sessions').where('id', '=', id).where('subscription_id', '=', subscriptionId),
      ),

    async forget(now, limit) {
      const links = await written(db, forgetLinks(now, limit))
      return links >= limit ? links : links + (await written(db, forgetSessions(now, limit - links)))
    },
  }
}

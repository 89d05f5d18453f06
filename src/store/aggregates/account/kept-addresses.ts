import { type Expression, expressionBuilder } from 'kysely'
import type { KeptAddressRow, KeptAddressStore } from '#core/account/kept-address.ts'
import type { AddressId, SubscriptionId } from '#core/ids.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Database } from '../../database.ts'
import { toBit } from '../../schema/bit.ts'
import type { Schema } from '../../schema/schema.ts'
import { createSubscriptionRow, newTransactionName } from '../billing/subscription-row.ts'
import { secretChange, secretIdOf } from '../mailbox/address-secret.ts'
import { hasWritten } from '../statements.ts'

export function createKeptAddressStore(db: Database): KeptAddressStore {
  const { read, write } = db
  const { isHeld, isBelow, insertInto } = createSubscriptionRow(db)

  const selected = (subscriptionId: SubscriptionId, now: number) =>
    read
      .selectFrom('kept_addresses')
      .leftJoin('addresses', (join) =>
        join.onRef('addresses.id', '=', 'kept_addresses.address_id').on('addresses.expires_at', '>', now),
      )
      .select((eb) => [
        'kept_addresses.address_id as addressId',
        'kept_addresses.subscription_id as subscriptionId',
        'kept_addresses.name_key as nameKey',
        'kept_addresses.sealed_name as sealedName',
        'kept_addresses.sealed_label as sealedLabel',
        'kept_addresses.sealed_secret as sealedSecret',
        'kept_addresses.created_at as createdAt',
        'addresses.expires_at as expiresAt',
        'addresses.sealed_earlier_keys as sealedEarlierKeys',
        eb.fn.coalesce('addresses.used_bytes', eb.lit(0)).as('usedBytes'),
        eb.fn.coalesce('addresses.revision', eb.lit(0)).as('revision'),
        eb.fn
          .coalesce(
            eb
              .selectFrom('messages')
              .select(({ fn }) => fn.countAll<number>().as('count'))
              .whereRef('messages.address_id', '=', 'addresses.id')
              .where('messages.seen', '=', 0)
              .where('messages.expires_at', '>', now),
            eb.lit(0),
          )
          .as('unread'),
      ])
      .where('kept_addresses.subscription_id', '=', subscriptionId)

  const unexpiredOf = (subscriptionId: SubscriptionId, now: number) =>
    write
      .selectFrom('addresses')
      .where('addresses.subscription_id', '=', subscriptionId)
      .where('addresses.expires_at', '>', now)

  const unexpiredIds = async (subscriptionId: SubscriptionId, now: number): Promise<AddressId[]> =>
    (await unexpiredOf(subscriptionId, now).select('addresses.id').execute()).map(({ id }) => id)

  /** When the last forwarding of an address that is on or paused ends. Null if there is none. */
  const forwardsUntil = (addressId: Expression<string>) =>
    write
      .selectFrom('forwardings')
      .select(({ fn }) => fn.max('ends_at').as('until'))
      .where('forwardings.address_id', '=', addressId)
      .where('state', 'in', ['on', 'paused'])
      .$asScalar()

  /** The later of two times, of which the second may be null. */
  const later = (one: number, two: Expression<number | null>) => {
    const eb = expressionBuilder<Schema>()
    return eb.case().when(two, '>', one).then(two).else(one).end().$notNull()
  }

  const ownUpdate = (subscriptionId: SubscriptionId, addressId: AddressId) =>
    write
      .updateTable('kept_addresses')
      .where('subscription_id', '=', subscriptionId)
      .where('address_id', '=', addressId)

  return {
    async add(address, max, now, change) {
      const { addressId, subscriptionId } = address
      const writing = { id: subscriptionId, transaction: newTransactionName() }
      const { exists } = expressionBuilder<Schema>()
      const existing = write.selectFrom('kept_addresses').where('subscription_id', '=', subscriptionId)
      const withId = write.selectFrom('addresses').select('addresses.id').where('addresses.id', '=', addressId)
      const free = (change ? withId.where(secretIdOf, '=', change.previousSecretId) : withId)
        .where('addresses.expires_at', '>', now)
        .where(({ eb: each, or }) =>
          or([each('addresses.subscription_id', 'is', null), each('addresses.subscription_id', '=', subscriptionId)]),
        )
      const row = {
        address_id: addressId,
        subscription_id: subscriptionId,
        name_key: address.nameKey,
        sealed_name: address.sealedName,
        sealed_label: address.sealedLabel,
        sealed_secret: address.sealedSecret,
        created_at: address.createdAt,
      }
      const kept = write
        .selectFrom('kept_addresses')
        .select('kept_addresses.address_id')
        .where('kept_addresses.address_id', '=', addressId)
        .where('kept_addresses.subscription_id', '=', subscriptionId)
      const [, , { affected }, , replaced] = await db.batch(
        [
          // A lapsed subscription gets no more addresses, even if it lapses at this moment.
          write
            .updateTable('subscriptions')
            .set({ changed_by: writing.transaction })
            .where('id', '=', subscriptionId)
            .where('lapsed', '=', 0)
            .compile(),
          insertInto('kept_addresses', row, writing, isBelow(max, existing), exists(free))
            .onConflict((conflict) => conflict.column('address_id').doNothing())
            .compile(),
          write
            .updateTable('addresses')
            .set({
              lifetime: 'subscription',
              expires_at: NEVER,
              subscription_id: subscriptionId,
              key_subscription_id: null,
              private: toBit(address.sealedSecret === null),
            })
            .where('id', '=', addressId)
            .where('expires_at', '>', now)
            .where(isHeld(writing))
            .where(exists(kept))
            .compile(),
          write
            .updateTable('names')
            .set({ held_until: NEVER })
            .where('name_key', 'in', unexpiredOf(subscriptionId, now).select('name_key').where('id', '=', addressId))
            .compile(),
          ...(change ? secretChange(db, change, now, ({ exists: isThere }) => isThere(kept)) : []),
        ],
        [addressId],
      )
      return affected > 0 && (!change || (replaced?.affected ?? 0) > 0)
    },

    list: (subscriptionId, now): Promise<KeptAddressRow[]> =>
      selected(subscriptionId, now).orderBy('kept_addresses.created_at').orderBy('kept_addresses.address_id').execute(),

    find: (subscriptionId, addressId, now): Promise<KeptAddressRow | undefined> =>
      selected(subscriptionId, now).where('kept_addresses.address_id', '=', addressId).executeTakeFirst(),

    rename: (subscriptionId, addressId, sealedLabel) =>
      hasWritten(db, ownUpdate(subscriptionId, addressId).set({ sealed_label: sealedLabel })),

    remove: (subscriptionId, addressId) =>
      hasWritten(
        db,
        write
          .deleteFrom('kept_addresses')
          .where('subscription_id', '=', subscriptionId)
          .where('address_id', '=', addressId),
      ),

    async usedBytes(subscriptionId, except = '') {
      const { bytes } = await read
        .selectFrom('addresses')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('used_bytes'), lit(0)).as('bytes'))
        .where('subscription_id', '=', subscriptionId)
        .where('expires_at', '>', 0)
        .where('id', '<>', except)
        .executeTakeFirstOrThrow()
      return bytes
    },

    async release(subscriptionId, expiresAt, heldUntil, now) {
      const bound = unexpiredOf(subscriptionId, now).where('addresses.lifetime', '=', 'subscription')
      const isAtOnce = expiresAt <= now
      await db.batch(
        [
          write
            .updateTable('names')
            .set((eb) => ({
              held_until: isAtOnce
                ? heldUntil
                : later(heldUntil, eb(forwardsUntil(eb.ref('names.address_id')), '+', heldUntil - expiresAt)),
            }))
            .where('name_key', 'in', bound.select('addresses.name_key'))
            .compile(),
          write
            .updateTable('addresses')
            .set(({ ref }) => ({
              lifetime: 'day',
              expires_at: isAtOnce ? expiresAt : later(expiresAt, forwardsUntil(ref('addresses.id'))),
            }))
            .where('subscription_id', '=', subscriptionId)
            .where('expires_at', '>', now)
            // Addresses that were released earlier may have been extended since.
            .where('lifetime', '=', 'subscription')
            .compile(),
        ],
        await unexpiredIds(subscriptionId, now),
      )
    },

    async restore(subscriptionId, now) {
      await db.batch(
        [
          write
            .updateTable('names')
            .set({ held_until: NEVER })
            .where('name_key', 'in', unexpiredOf(subscriptionId, now).select('addresses.name_key'))
            .compile(),
          write
            .updateTable('addresses')
            .set({ lifetime: 'subscription', expires_at: NEVER })
            .where('subscription_id', '=', subscriptionId)
            .where('expires_at', '>', now)
            .compile(),
        ],
        await unexpiredIds(subscriptionId, now),
      )
    },
  }
}

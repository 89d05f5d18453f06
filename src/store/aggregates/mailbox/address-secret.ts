import { type Expression, expressionBuilder, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { SecretId } from '#core/ids.ts'
import type { ExpectedAddress } from '#core/mailbox/address.ts'
import type { SecretChange } from '#core/mailbox/secret-change.ts'
import type { Database } from '../../database.ts'
import type { ValuesOf } from '../../prepared.ts'
import type { Schema } from '../../schema/schema.ts'
import { holdersOf, listedUnder, reservedUnder } from './address-id.ts'

/** The look-up hash of the current secret of an address. */
export const secretIdOf = sql<SecretId>`coalesce(addresses.secret_id, addresses.id)`

/** Whether the secret of an address is still `secretId`. Always true if it is undefined. */
export function isCurrent(secretId: SecretId | undefined): Expression<SqlBool> {
  const { eb, lit } = expressionBuilder<Schema, 'addresses'>()
  return secretId === undefined ? lit(true) : eb(secretIdOf, '=', secretId)
}

/** The values of `isExpected`; null for any. */
export type Expected = Record<keyof ExpectedAddress, string | null>

/** Whether an address is as expected, for a prepared query. */
export function isExpected(value: ValuesOf<Expected>): Expression<SqlBool> {
  const { eb, fn, and, val } = expressionBuilder<Schema, 'addresses'>()
  const ofKey = fn.coalesce('addresses.key_subscription_id', sql<string>`''`)
  return and([
    eb(secretIdOf, '=', fn.coalesce(val(value('secretId')), secretIdOf)),
    eb(ofKey, '=', fn.coalesce(val(value('keySubscriptionId')), ofKey)),
  ])
}

/**
 * Returns the statements that replace the secret of an address, in their order: the address, the reservation of its
 * name, its entry in the subscriber's list, and the end of its forwardings and push subscriptions. They do nothing if
 * the current secret is not the expected one. The row count of the first statement tells whether the secret was replaced.
 */
export function secretChange(
  { write }: Pick<Database, 'write'>,
  { id, previousSecretId, secretId, ...change }: SecretChange,
  now: number,
  condition: (eb: ExpressionBuilder<Schema, 'addresses'>) => Expression<SqlBool> = ({ lit }) => lit(true),
) {
  const changed = write
    .selectFrom('addresses')
    .select('addresses.id')
    .where('addresses.id', '=', id)
    .where('addresses.secret_id', '=', secretId)
  return [
    write
      .updateTable('addresses')
      .set({
        secret_id: secretId,
        public_key: change.publicKey,
        sealed_name: change.sealedName,
        sealed_earlier_keys: change.sealedEarlierKeys,
        // The password opened the replaced secret.
        secret_by_password: null,
        // A holder of the old secret may have set them, and messages would be refused.
        sealed_faults: null,
      })
      .where('id', '=', id)
      .where(secretIdOf, '=', previousSecretId)
      .where('expires_at', '>', now)
      .where(({ eb, fn, lit }) => eb(fn.coalesce('private', lit(0)), '=', 0))
      // A secret opens one address, and the first secret of an address is never used again.
      .where(({ not, exists }) => not(exists(holdersOf(secretId))))
      .where(({ not, exists }) => not(exists(reservedUnder(secretId, now))))
      .where(({ not, exists }) => not(exists(listedUnder(secretId))))
      .where(condition)
      .compile(),
    write
      .updateTable('names')
      .set({ secret_id: secretId })
      // An earlier name of the address may be reserved under its id as well.
      .where('name_key', '=', changed.clearSelect().select('addresses.name_key'))
      .where('address_id', '=', id)
      .compile(),
    write
      .updateTable('kept_addresses')
      .set({ sealed_secret: change.sealedSecret })
      .where('address_id', '=', id)
      .where(
        'subscription_id',
        '=',
        changed.clearSelect().select(({ ref }) => ref('addresses.subscription_id').$notNull().as('id')),
      )
      .compile(),
    // A holder of the old secret may have set up the forwardings and would keep receiving the messages.
    write
      .updateTable('forwardings')
      .set({ state: 'ended', end_reason: 'replaced', token_hash: null })
      .where('address_id', '=', id)
      .where('state', '<>', 'ended')
      .where(({ exists }) => exists(changed))
      .compile(),
    // The subscribed browsers may no longer open the address.
    write
      .deleteFrom('push_subscriptions')
      .where('address_id', '=', id)
      .where(({ exists }) => exists(changed))
      .compile(),
  ] as const
}

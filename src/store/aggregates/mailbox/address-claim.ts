import { expressionBuilder, sql } from 'kysely'
import type { AddressId, NameKey, SecretId, SubscriptionId } from '#core/ids.ts'
import type { AddressRow, NewAddress } from '#core/mailbox/address.ts'
import type { Database } from '../../database.ts'
import { prepared, type ValuesOf } from '../../prepared.ts'
import type { Bit } from '../../schema/bit.ts'
import type { Schema } from '../../schema/schema.ts'
import { holdersOf, listedUnder, reservedUnder } from './address-id.ts'

/** A row as it is stored. */
type Stored<Row> = Omit<Row, 'private'> & { private: Bit }

/** The look-up hash of the secret; null if it equals the id. */
interface OwnSecret {
  ownSecretId: SecretId | null
}

interface Claim extends Pick<NewAddress, 'id' | 'nameKey' | 'heldUntil'>, OwnSecret {
  secretId: SecretId
  /** The last secret of the address that had the name; '' if the claimant does not know it. */
  previousId: SecretId
  /** The subscription that keeps the address; '' if none does. */
  keptBy: SubscriptionId
  /** The subscription whose API key creates the address; '' for all other addresses. */
  quotaOf: SubscriptionId
  /** How many addresses its keys may have. */
  max: number
  now: number
}

/** Compiles the statements that create an address with a name, in their order. */
export function createAddressClaim({ read, write }: Pick<Database, 'read' | 'write'>) {
  /**
   * Whether this address may be created, whatever its name. It may not for an id or a secret that belongs to an address,
   * for an id under which another name is reserved or a list has another address, and for an API key whose quota is
   * used up.
   */
  const isAllowed = (value: ValuesOf<Claim>) => {
    const { eb, and, or, not, exists, selectFrom } = expressionBuilder<Schema>()
    const reserved = reservedUnder(value('id'), value('now')).where('reserved.name_key', '<>', value('nameKey'))
    const listed = listedUnder(value('id')).where(({ eb: each }) =>
      or([each('listed.subscription_id', '<>', value('keptBy')), each('listed.name_key', '<>', value('nameKey'))]),
    )
    const ofKeys = selectFrom('addresses')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('key_subscription_id', '=', value('quotaOf'))
      .where('expires_at', '>', value('now'))
    return and([
      ...[holdersOf(value('id')), holdersOf(value('secretId')), reserved, listed].map((each) => not(exists(each))),
      eb(ofKeys, '<', value('max')),
    ])
  }

  /** The address that has the name, or had it and was not removed yet. */
  const holderOf = prepared<{ nameKey: NameKey }>()((value) =>
    read
      .selectFrom('names')
      .innerJoin('addresses', (join) =>
        join.onRef('addresses.id', '=', 'names.address_id').onRef('addresses.name_key', '=', 'names.name_key'),
      )
      .select('addresses.id')
      .where('names.name_key', '=', value('nameKey')),
  )

  /**
   * Takes the name if it is free: its quarantine is over or it is reserved for `previousId`, and no live address has
   * it.
   */
  const takeName = prepared<Claim>()((value) =>
    write
      .insertInto('names')
      .columns(['name_key', 'address_id', 'held_until', 'secret_id'])
      .expression(
        write
          .selectNoFrom(({ val }) => [
            val(value('nameKey')).as('name_key'),
            val(value('id')).as('address_id'),
            val(value('heldUntil')).as('held_until'),
            val(value('ownSecretId')).as('secret_id'),
          ])
          .where(isAllowed(value)),
      )
      .onConflict((conflict) =>
        conflict
          .column('name_key')
          .doUpdateSet({ address_id: value('id'), held_until: value('heldUntil'), secret_id: value('ownSecretId') })
          .where(({ eb, fn, or, not, exists, selectFrom, ref }) =>
            eb.and([
              or([
                eb('names.held_until', '<=', value('now')),
                eb(fn.coalesce('names.secret_id', 'names.address_id'), '=', value('previousId')),
              ]),
              not(
                exists(
                  selectFrom('addresses')
                    .select('addresses.id')
                    .where('addresses.id', '=', ref('names.address_id'))
                    .where('addresses.name_key', '=', ref('names.name_key'))
                    .where('addresses.expires_at', '>', value('now')),
                ),
              ),
            ]),
          ),
      ),
  )

  /**
   * Creates the address if the statement before gave it the name. A name that is only reserved under its id does not
   * count.
   */
  const insert = prepared<
    Claim &
      Stored<NewAddress> &
      Pick<AddressRow, 'subscriptionId' | 'keySubscriptionId'> & { keyId: string | null; ownDomain: string | null }
  >()((value) =>
    write
      .insertInto('addresses')
      .columns([
        'id',
        'name_key',
        'public_key',
        'sealed_name',
        'lifetime',
        'created_at',
        'expires_at',
        'used_bytes',
        'revision',
        'subscription_id',
        'key_subscription_id',
        'key_id',
        'own_domain',
        'private',
        'secret_id',
      ])
      .expression((eb) =>
        eb
          .selectFrom('names')
          .select([
            'address_id',
            'name_key',
            eb.val(value('publicKey')).as('public_key'),
            eb.val(value('sealedName')).as('sealed_name'),
            eb.val(value('lifetime')).as('lifetime'),
            eb.val(value('createdAt')).as('created_at'),
            eb.val(value('expiresAt')).as('expires_at'),
            sql.lit(0).as('used_bytes'),
            sql.lit(0).as('revision'),
            eb.val(value('subscriptionId')).as('subscription_id'),
            eb.val(value('keySubscriptionId')).as('key_subscription_id'),
            eb.val(value('keyId')).as('key_id'),
            eb.val(value('ownDomain')).as('own_domain'),
            eb.val(value('private')).as('private'),
            eb.val(value('ownSecretId')).as('secret_id'),
          ])
          .where('name_key', '=', value('nameKey'))
          .where('address_id', '=', value('id'))
          .where('held_until', '=', value('heldUntil'))
          .where(({ eb: each, fn }) => each(fn.coalesce('names.secret_id', 'address_id'), '=', value('secretId')))
          .where(isAllowed(value)),
      ),
  )

  const isGone = (id: AddressId) => {
    const { not, exists, selectFrom } = expressionBuilder<Schema>()
    return not(exists(selectFrom('addresses').select('addresses.id').where('addresses.id', '=', id)))
  }
  const leftBodies = prepared<Pick<Claim, 'id'>>()((value) =>
    write
      .deleteFrom('bodies')
      .where('address_id', '=', value('id'))
      .where('id', 'in', (eb) => eb.selectFrom('messages').select('id').where('address_id', '=', value('id')))
      .where(isGone(value('id'))),
  )
  const leftMessages = prepared<Pick<Claim, 'id'>>()((value) =>
    write
      .deleteFrom('messages')
      .where('address_id', '=', value('id'))
      .where(isGone(value('id'))),
  )
  /**
   * On PostgreSQL, messages of an expired address stay until their partition is dropped. They must not be in the inbox
   * of an address that is created again under the id.
   */
  const removeLeft = (claim: Pick<Claim, 'id'>) => [leftBodies(claim), leftMessages(claim)] as const

  /** The live and the expired addresses that keep this id or this secret from being used. */
  const rivals = prepared<Pick<Claim, 'id' | 'secretId'>>()((value) =>
    read
      .selectFrom('addresses')
      .select(['id', 'expires_at as expiresAt'])
      .where(({ eb, or }) =>
        or(
          (['id', 'secretId'] as const).flatMap((each) => [
            eb('id', '=', value(each)),
            eb('secret_id', '=', value(each)),
          ]),
        ),
      ),
  )

  return { holderOf, rivals, takeName, insert, removeLeft }
}

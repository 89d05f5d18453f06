import { sql } from 'kysely'
import type { KeyQuota } from '#core/account/api-key.ts'
import type { NameKey, SecretId } from '#core/ids.ts'
import type { AddressRow, NewAddress } from '#core/mailbox/address.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import type { Bit } from '../../schema/bit.ts'

/** A row as it is stored. */
type Stored<Row> = Omit<Row, 'private'> & { private: Bit }

/** The look-up hash of the secret; null if it equals the id. */
interface OwnSecret {
  ownSecretId: SecretId | null
}

/** Compiles the statements that create an address with a name, in their order. */
export function createAddressClaim({ read, write }: Pick<Database, 'read' | 'write'>) {
  const holderOf = prepared<{ nameKey: NameKey }>()((value) =>
    read.selectFrom('names').select('address_id as addressId').where('name_key', '=', value('nameKey')),
  )

  /**
   * Takes the name if it is free: its quarantine is over or it is reserved for `previousId`, and no live address has
   * it. It takes nothing for an id that already exists, for an id that is the current secret of another address, or for
   * an API key whose quota is used up.
   */
  const takeName = prepared<NewAddress & KeyQuota & OwnSecret & { now: number; previousId: SecretId }>()((value) =>
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
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('addresses')
                  .select('addresses.id')
                  .where(({ eb, or }) =>
                    or([eb('addresses.id', '=', value('id')), eb('addresses.secret_id', '=', value('id'))]),
                  ),
              ),
            ),
          )
          .where(({ eb, selectFrom }) =>
            eb(
              selectFrom('addresses')
                .select(({ fn }) => fn.countAll<number>().as('count'))
                .where('key_subscription_id', '=', value('subscriptionId'))
                .where('expires_at', '>', value('now')),
              '<',
              value('max'),
            ),
          ),
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
    Stored<NewAddress> &
      OwnSecret &
      Pick<AddressRow, 'subscriptionId' | 'keySubscriptionId'> & { ownDomain: string | null }
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
            eb.val(value('ownDomain')).as('own_domain'),
            eb.val(value('private')).as('private'),
            eb.val(value('ownSecretId')).as('secret_id'),
          ])
          .where('name_key', '=', value('nameKey'))
          .where('address_id', '=', value('id'))
          .where('held_until', '=', value('heldUntil'))
          // An expired address keeps its name until the sweep removes it.
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('addresses').select('addresses.id').where('addresses.id', '=', value('id')))),
          ),
      ),
  )

  return { holderOf, takeName, insert }
}

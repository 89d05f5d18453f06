import type { AddressId, SecretId } from '#core/ids.ts'
import type { AddressRow, AddressStore, NewAddress, RecipientRow } from '#core/mailbox/address.ts'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { type Bit, fromBit, toBit } from '../../schema/bit.ts'
import { createSubscriptionRow, newTransactionName } from '../billing/subscription-row.ts'
import { deleteOldest } from '../oldest.ts'
import { hasWritten, written } from '../statements.ts'
import { createAddressClaim } from './address-claim.ts'
import { createAddressRemoval } from './address-removal.ts'
import { type Expected, isCurrent, isExpected, secretChange, secretIdOf } from './address-secret.ts'

const COLUMNS = [
  'id',
  'name_key as nameKey',
  'public_key as publicKey',
  'sealed_name as sealedName',
  'lifetime',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'used_bytes as usedBytes',
  'revision',
  'subscription_id as subscriptionId',
  'key_subscription_id as keySubscriptionId',
  'private',
  'forwards',
  'pushes',
  secretIdOf.as('secretId'),
  'sealed_earlier_keys as sealedEarlierKeys',
  'sealed_faults as sealedFaults',
] as const

const toRow = <Row extends Record<'private' | 'forwards' | 'pushes', Bit | null>>(row: Row) => ({
  ...row,
  private: fromBit(row.private),
  forwards: fromBit(row.forwards),
  pushes: fromBit(row.pushes),
})

export function createAddressStore(db: Database): AddressStore {
  const { read, write } = db
  const remove = createAddressRemoval(db)
  const { touch } = createSubscriptionRow(db)
  const { holderOf, rivals, takeName, insert, removeLeft } = createAddressClaim(db)

  const findRecipients = prepared<{ nameKeys: string; now: number }>()((value) =>
    read
      .selectFrom('names')
      .innerJoin('addresses', 'addresses.id', 'names.address_id')
      .select([
        'addresses.id',
        'addresses.name_key as nameKey',
        'public_key as publicKey',
        'lifetime',
        'used_bytes as usedBytes',
        'subscription_id as subscriptionId',
        'key_subscription_id as keySubscriptionId',
        'private',
        'forwards',
        'pushes',
        'sealed_faults as sealedFaults',
      ])
      .where(db.isAmong('names.name_key', value('nameKeys')))
      .where('expires_at', '>', value('now')),
  )

  const found = prepared<{ id: AddressId; now: number }>()((value) =>
    read.selectFrom('addresses').select(COLUMNS).where('id', '=', value('id')).where('expires_at', '>', value('now')),
  )

  const foundAll = prepared<{ ids: string; now: number }>()((value) =>
    read
      .selectFrom('addresses')
      .select(COLUMNS)
      .where(db.isAmong('id', value('ids')))
      .where('expires_at', '>', value('now')),
  )

  const foundBySecret = prepared<{ secretId: string; now: number }>()((value) =>
    read
      .selectFrom('addresses')
      .select(COLUMNS)
      .where(({ eb, or, and }) =>
        or([
          eb('secret_id', '=', value('secretId')),
          and([eb('id', '=', value('secretId')), eb('secret_id', 'is', null)]),
        ]),
      )
      .where('expires_at', '>', value('now')),
  )

  const moveEnd = prepared<{ id: AddressId; expiresAt: number; now: number }>()((value) =>
    write
      .updateTable('addresses')
      .set((eb) => ({
        expires_at: eb
          .case()
          .when('expires_at', '<', value('expiresAt'))
          .then(value('expiresAt'))
          .else(eb.ref('expires_at'))
          .end(),
      }))
      .where('id', '=', value('id'))
      .where('expires_at', '>', value('now')),
  )

  const moveHold = prepared<{ id: AddressId; heldUntil: number; now: number }>()((value) =>
    write
      .updateTable('names')
      .set({ held_until: value('heldUntil') })
      .where('name_key', '=', (eb) =>
        eb
          .selectFrom('addresses')
          .select('name_key')
          .where('id', '=', value('id'))
          .where('expires_at', '>', value('now')),
      )
      .where('address_id', '=', value('id'))
      .where('held_until', '<', value('heldUntil')),
  )

  /** A deleted address no longer has a name, so deleting it again does not extend the reservation. */
  const holdName = prepared<{ id: AddressId; heldUntil: number; heldFor: SecretId | null } & Expected>()((value) =>
    write
      .updateTable('names')
      .set(({ fn, val }) => ({
        held_until: value('heldUntil'),
        secret_id: fn.coalesce(val(value('heldFor')), 'names.secret_id'),
      }))
      .where('name_key', '=', (eb) =>
        eb.selectFrom('addresses').select('name_key').where('id', '=', value('id')).where(isExpected(value)),
      )
      .where('address_id', '=', value('id')),
  )

  async function tryClaim(address: NewAddress, now: number, previousId: SecretId): Promise<boolean> {
    const { id, quota, secretId = id, subscriptionId = null } = address
    const ownSecretId = secretId === id ? null : secretId
    const [quotaOf, max] = [quota?.subscriptionId ?? '', quota?.max ?? 1]
    const terms = { secretId, ownSecretId, previousId, keptBy: subscriptionId ?? '', quotaOf, max, now }
    const [holder, , , , , inserted] = await db.batch([
      holderOf(address),
      ...removeLeft({ id }),
      // Locks the subscription's row, so that the addresses of its API keys can be counted.
      touch({ id: quotaOf, transaction: newTransactionName() }),
      takeName({ ...address, ...terms }),
      insert({
        ...address,
        ...terms,
        subscriptionId,
        keySubscriptionId: quota?.subscriptionId ?? null,
        keyId: quota?.keyId ?? null,
        ownDomain: quota?.ownDomain ?? null,
        private: toBit(address.private ?? false),
      }),
    ])
    if (inserted.affected === 0) return false
    const former = holder.rows[0]?.id
    if (former !== undefined && former !== id) await remove(former, now)
    return true
  }

  return {
    async claim(address, now, previousId = '') {
      if (await tryClaim(address, now, previousId)) return true
      const { id, secretId = id } = address
      const { rows } = await read.executeQuery(rivals({ id, secretId }))
      // The sweep has not removed them yet.
      const ended = rows.filter(({ expiresAt }) => expiresAt <= now)
      for (const each of ended) await remove(each.id, now)
      return ended.length > 0 && tryClaim(address, now, previousId)
    },

    async find(id, now): Promise<AddressRow | undefined> {
      const [row] = (await read.executeQuery(found({ id, now }))).rows
      return row && toRow(row)
    },

    async findAll(ids, now): Promise<AddressRow[]> {
      const [{ rows }] = await db.snapshot([foundAll({ ids: JSON.stringify(ids), now })])
      return rows.map(toRow)
    },

    async findBySecret(secretId, now): Promise<AddressRow | undefined> {
      const [row] = (await read.executeQuery(foundBySecret({ secretId, now }))).rows
      return row && toRow(row)
    },

    async replaceSecret(change, now) {
      const [{ affected }] = await db.batch(secretChange(db, change, now), [change.id])
      return affected > 0
    },

    async ofKeys(subscriptionId, now, { ownDomain, keyId } = {}) {
      const rows = await read
        .selectFrom('addresses')
        .select('id')
        .where('key_subscription_id', '=', subscriptionId)
        .where('expires_at', '>', now)
        .$if(ownDomain === true, (query) => query.where('own_domain', 'is not', null))
        .$if(typeof ownDomain === 'string', (query) => query.where('own_domain', '=', ownDomain as string))
        .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId as string))
        .execute()
      return rows.map(({ id }) => id)
    },

    async findRecipients(names, now): Promise<RecipientRow[]> {
      const [{ rows }] = await db.snapshot([findRecipients({ nameKeys: JSON.stringify(names), now })])
      return rows.map(toRow)
    },

    async isHeld(name, now) {
      const held = read
        .selectFrom('names')
        .select('name_key')
        .where('name_key', '=', name)
        .where('held_until', '>', now)
      return (await held.execute()).length > 0
    },

    async extend(id, expiresAt, heldUntil, now) {
      const [, moved] = await db.batch([moveHold({ id, heldUntil, now }), moveEnd({ id, expiresAt, now })], [id])
      return moved.affected > 0
    },

    async setFaults(id, sealedFaults, now, secretId) {
      const change = write
        .updateTable('addresses')
        .set({ sealed_faults: sealedFaults })
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .where(isCurrent(secretId))
      return hasWritten(db, change, [id])
    },

    remove(id, heldUntil, heldFor = undefined, { secretId, keySubscriptionId } = {}) {
      const expected = { secretId: secretId ?? null, keySubscriptionId: keySubscriptionId ?? null }
      return remove(id, NEVER, [holdName({ id, heldUntil, heldFor: heldFor ?? null, ...expected })], expected)
    },

    async reserve(nameKey, heldUntil, heldFor) {
      const hold = { held_until: heldUntil, secret_id: heldFor }
      const statement = write
        .insertInto('names')
        .values({ name_key: nameKey, address_id: heldFor, ...hold })
        .onConflict((conflict) => conflict.column('name_key').doUpdateSet(hold))
      await written(db, statement)
    },

    removeExpired: (now, limit) => db.removeExpiredAddresses(now, limit),

    forgetNames: (now, limit) =>
      written(db, deleteOldest(db, 'names', { key: ['name_key'], where: ['held_until', '<=', now], limit })),
  }
}

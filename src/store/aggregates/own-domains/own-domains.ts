import { sql, type SqlBool } from 'kysely'
import type { DomainCheck, OwnDomain, OwnDomainStore } from '#core/own-domains/own-domain.ts'
import type { Database } from '../../database.ts'
import { type Bit, fromBit, toBit } from '../../schema/bit.ts'
import { createSubscriptionRow, newTransactionName } from '../billing/subscription-row.ts'
import { hasWritten } from '../statements.ts'

const COLUMNS = [
  'name',
  'subscription_id as subscriptionId',
  'state',
  'created_at as createdAt',
  'checked_at as checkedAt',
  'failing_since as failingSince',
  'txt_found as txtFound',
  'mx_found as mxFound',
  'catch_all as catchAll',
] as const

/**
 * The condition and the sort key of the indexes of owned domains. They only serve queries that use exactly these
 * expressions.
 */
const owned = sql<SqlBool>`(state <> 'pending')`
const lastChecked = sql<number>`(coalesce(checked_at, 0))`

const nextLastChecked = sql<number>`(coalesce(next.checked_at, 0))`

type SelectedRow = Omit<OwnDomain, 'txtFound' | 'mxFound'> & Record<'txtFound' | 'mxFound', Bit>

const toDomain = (row: SelectedRow): OwnDomain => ({
  ...row,
  txtFound: fromBit(row.txtFound),
  mxFound: fromBit(row.mxFound),
})

/** Returns the columns that a check updates. */
const checkOf = ({ state, checkedAt, failingSince, txtFound, mxFound }: DomainCheck) => ({
  state,
  checked_at: checkedAt,
  failing_since: failingSince,
  txt_found: toBit(txtFound),
  mx_found: toBit(mxFound),
})

export function createOwnDomainStore(db: Database): OwnDomainStore {
  const { read, write } = db
  const { touch, isBelow, insertInto } = createSubscriptionRow(db)
  const selected = () => read.selectFrom('own_domains').select(COLUMNS)
  const ownUpdate = (subscriptionId: string, name: string) =>
    write.updateTable('own_domains').where('subscription_id', '=', subscriptionId).where('name', '=', name)

  /** Serializes checks of the same domain, so that a later check sees the owner that an earlier one set. */
  const lockClaims = (name: string) =>
    write
      .updateTable('own_domains')
      .set((eb) => ({ name: eb.ref('name') }))
      .where('name', '=', name)
      .compile()

  /** Makes the owner's claim `pending` if the successor still claims the domain, and was last checked at `before`. */
  const removeOwner = (name: string, owner: string | undefined, successor: string, before?: number | null) =>
    write
      .updateTable('own_domains')
      .set({ state: 'pending', failing_since: null })
      .where('name', '=', name)
      .where('subscription_id', '=', owner ?? '')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('own_domains as next')
            .select('next.name')
            .where('next.name', '=', name)
            .where('next.subscription_id', '=', successor)
            .$if(before !== undefined, (next) => next.where(nextLastChecked, '=', before ?? 0)),
        ),
      )
      .compile()

  return {
    async add(domain, max) {
      const { subscriptionId, name } = domain
      const writing = { id: subscriptionId, transaction: newTransactionName() }
      const claimed = write.selectFrom('own_domains').where('subscription_id', '=', subscriptionId)
      const row = {
        subscription_id: subscriptionId,
        name,
        created_at: domain.createdAt,
        ...checkOf(domain),
        catch_all: domain.catchAll,
      }
      const [, , { rows }] = await db.batch([
        touch(writing),
        insertInto('own_domains', row, writing, isBelow(max, claimed))
          .onConflict((conflict) => conflict.doNothing())
          .compile(),
        write
          .selectFrom('own_domains')
          .select('name')
          .where('subscription_id', '=', subscriptionId)
          .where('name', '=', name)
          .compile(),
      ])
      return rows.length > 0
    },

    async list(subscriptionId) {
      const own = selected().where('subscription_id', '=', subscriptionId)
      return (await own.orderBy('created_at').orderBy('name').execute()).map(toDomain)
    },

    async find(subscriptionId, name) {
      const row = await selected()
        .where('subscription_id', '=', subscriptionId)
        .where('name', '=', name)
        .executeTakeFirst()
      return row && toDomain(row)
    },

    async owner(name) {
      const row = await selected().where('name', '=', name).where(owned).executeTakeFirst()
      return row && toDomain(row)
    },

    async recordCheck(subscriptionId, name, check, insteadOf, before) {
      let seen = ownUpdate(subscriptionId, name).set(checkOf(check))
      if (before !== undefined) seen = seen.where(lastChecked, '=', before ?? 0)
      if (check.state !== 'pending') {
        seen = seen.where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('own_domains as other')
                .select('other.name')
                .where('other.name', '=', name)
                .where('other.subscription_id', '<>', subscriptionId)
                .where('other.state', '<>', 'pending'),
            ),
          ),
        )
      }
      const [, , { affected }] = await db.batch([
        lockClaims(name),
        removeOwner(name, insteadOf, subscriptionId, before),
        seen.compile(),
      ])
      return affected > 0
    },

    setCatchAll: (subscriptionId, name, catchAll) =>
      hasWritten(db, ownUpdate(subscriptionId, name).set({ catch_all: catchAll })),

    remove: (subscriptionId, name) =>
      hasWritten(
        db,
        write.deleteFrom('own_domains').where('subscription_id', '=', subscriptionId).where('name', '=', name),
      ),

    async due(checkedBefore, limit, failing) {
      const due = selected()
        .where(owned)
        // Both cases have this bound, which is outside the `or` so that the index is used.
        .where(lastChecked, '<', failing?.before ?? checkedBefore)
        .$if(failing !== undefined, (all) =>
          all.where(({ eb, or }) =>
            or([eb(lastChecked, '<', checkedBefore), eb('failing_since', '>', failing?.since ?? 0)]),
          ),
        )
      return (await due.orderBy(lastChecked).limit(limit).execute()).map(toDomain)
    },
  }
}

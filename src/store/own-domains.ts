import type { OwnDomain, OwnDomainStore } from '#core/own-domain.ts'
import type { Database } from './database.ts'
import { lastChecked, owned } from './own-domains-index.ts'
import { createSubscriptionRow, newToken } from './subscription-row.ts'

const COLUMNS = [
  'name',
  'subscription_id as subscriptionId',
  'state',
  'created_at as createdAt',
  'checked_at as checkedAt',
  'failing_since as failingSince',
  'catch_all as catchAll',
] as const

export function createOwnDomainStore(db: Database): OwnDomainStore {
  const { read, write } = db
  const { touch, isBelow, insertInto } = createSubscriptionRow(db)
  const selected = () => read.selectFrom('own_domains').select(COLUMNS)
  const ownUpdate = (subscriptionId: string, name: string) =>
    write.updateTable('own_domains').where('subscription_id', '=', subscriptionId).where('name', '=', name)

  /** One who checks a domain comes after the other, so that the later one sees its owner. */
  const lockClaims = (name: string) =>
    write
      .updateTable('own_domains')
      .set((eb) => ({ name: eb.ref('name') }))
      .where('name', '=', name)
      .compile()

  return {
    async add(domain, max) {
      const { subscriptionId, name } = domain
      const writing = { id: subscriptionId, token: newToken() }
      const claimed = write.selectFrom('own_domains').where('subscription_id', '=', subscriptionId)
      const row = {
        subscription_id: subscriptionId,
        name,
        state: domain.state,
        created_at: domain.createdAt,
        checked_at: domain.checkedAt,
        failing_since: domain.failingSince,
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

    list: (subscriptionId): Promise<OwnDomain[]> =>
      selected().where('subscription_id', '=', subscriptionId).orderBy('created_at').orderBy('name').execute(),

    find: (subscriptionId, name): Promise<OwnDomain | undefined> =>
      selected().where('subscription_id', '=', subscriptionId).where('name', '=', name).executeTakeFirst(),

    owner: (name): Promise<OwnDomain | undefined> =>
      selected().where('name', '=', name).where(owned).executeTakeFirst(),

    async check(subscriptionId, name, { state, checkedAt, failingSince }) {
      let seen = ownUpdate(subscriptionId, name).set({
        state,
        checked_at: checkedAt,
        failing_since: failingSince,
      })
      if (state !== 'pending') {
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
      const [, { affected }] = await db.batch([lockClaims(name), seen.compile()])
      return affected > 0
    },

    async setCatchAll(subscriptionId, name, catchAll) {
      const [{ affected }] = await db.batch([ownUpdate(subscriptionId, name).set({ catch_all: catchAll }).compile()])
      return affected > 0
    },

    async remove(subscriptionId, name) {
      const [{ affected }] = await db.batch([
        write
          .deleteFrom('own_domains')
          .where('subscription_id', '=', subscriptionId)
          .where('name', '=', name)
          .compile(),
      ])
      return affected > 0
    },

    due: (checkedBefore, limit): Promise<OwnDomain[]> =>
      selected().where(owned).where(lastChecked, '<', checkedBefore).orderBy(lastChecked).limit(limit).execute(),
  }
}

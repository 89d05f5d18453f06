import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { ForwardingStore } from '#core/forwarding/forwarding.ts'
import { DAY } from '#core/time.ts'
import type { Database } from '../../database.ts'
import { fromBit } from '../../schema/bit.ts'
import type { Schema } from '../../schema/schema.ts'
import { toEmailRow } from '../email/emails.ts'
import { isCurrent } from '../mailbox/address-secret.ts'
import { createForwardingRemoval } from './forwarding-removal.ts'
import { isOngoing, tidied } from './forwarding-row.ts'

/**
 * Creates the method that adds a waiting forwarding. Its transaction locks the inbox, for the limits of the address,
 * and then the row of the destination, for the limits of the destination.
 */
export function createAsk(db: Database): ForwardingStore['ask'] {
  const { write } = db
  const { deleteSpentMails } = createForwardingRemoval(db)

  const touchDestination = (destinationKey: string, now: number) =>
    write
      .insertInto('forwarding_destinations')
      .values({ destination_key: destinationKey, changed_at: now, refused_at: null })
      .onConflict((conflict) => conflict.column('destination_key').doUpdateSet({ changed_at: now }))
      .compile()

  /** Whether the destination may get a confirmation email. Times over a day ahead are from a wrong clock. */
  function mayAsk(destinationKey: string, asksPerDay: number, now: number): Expression<SqlBool> {
    const { eb, and, not, exists, selectFrom } = expressionBuilder<Schema>()
    const refused = selectFrom('forwarding_destinations')
      .select('forwarding_destinations.destination_key')
      .where('forwarding_destinations.destination_key', '=', destinationKey)
      .where('refused_at', 'is not', null)
    const outstanding = selectFrom('forwardings')
      .select('forwardings.id')
      .where('forwardings.destination_key', '=', destinationKey)
      .where('state', '=', 'waiting')
      .where('asked', '=', 1)
      .where('ends_at', '>', now)
      .where('forwardings.created_at', '<', now + DAY)
    const asks = selectFrom('forwarding_asks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('forwarding_asks.destination_key', '=', destinationKey)
      .where('asked_at', '>', now - DAY)
      .where('asked_at', '<', now + DAY)
    return and([not(exists(refused)), not(exists(outstanding)), eb(asks, '<', asksPerDay)])
  }

  return async (row, limits, now, email) => {
    const { id, addressId, destinationKey } = row
    const own = write.selectFrom('forwardings').where('forwardings.id', '=', id)
    const requested = own.where('asked', '=', 1)
    const ofAddress = write.selectFrom('forwardings').where('forwardings.address_id', '=', addressId)
    const ongoing = ofAddress.where(isOngoing(now))

    const values = {
      id,
      address_id: addressId,
      destination_key: destinationKey,
      sealed_destination: row.sealedDestination,
      language: row.language,
      state: row.state,
      end_reason: row.end,
      token_hash: row.tokenHash,
      created_at: row.createdAt,
      confirmed_at: row.confirmedAt,
      ends_at: row.endsAt,
      bounces: row.bounces,
    }
    const insert = write
      .insertInto('forwardings')
      .columns([...(Object.keys(values) as (keyof typeof values)[]), 'asked'])
      .expression((eb) =>
        eb
          .selectFrom('addresses')
          .select([
            ...Object.entries(values).map(([name, value]) => eb.val(value).as(name)),
            eb
              .case()
              .when(mayAsk(destinationKey, limits.asksPerDay, now))
              .then(eb.lit(1))
              .else(eb.lit(0))
              .end()
              .as('asked'),
          ])
          .where('addresses.id', '=', addressId)
          .where('addresses.expires_at', '>', now)
          .where(isCurrent(row.secretId))
          .where(({ not, exists }) =>
            not(exists(ongoing.select('forwardings.id').where('forwardings.destination_key', '=', destinationKey))),
          )
          .where(({ eb: each }) =>
            each(
              ongoing.select(({ fn }) => fn.countAll<number>().as('count')),
              '<',
              limits.destinations,
            ),
          ),
      )

    const emailRow = toEmailRow(email)
    const insertEmail = write
      .insertInto('emails')
      .columns(Object.keys(emailRow) as (keyof typeof emailRow)[])
      .expression(({ val }) => requested.select(Object.entries(emailRow).map(([name, value]) => val(value).as(name))))
      .onConflict((conflict) => conflict.doNothing())

    const insertAsk = write
      .insertInto('forwarding_asks')
      .columns(['destination_key', 'forwarding_id', 'asked_at'])
      .expression(({ val }) =>
        requested.select(['forwardings.destination_key', 'forwardings.id as forwarding_id', val(now).as('asked_at')]),
      )

    const ended = write
      .deleteFrom('forwardings')
      .where('address_id', '=', addressId)
      .where(({ not }) => not(isOngoing(now)))
      .where(({ exists }) => exists(own.select('forwardings.id')))
    const newest = ofAddress
      .select('forwardings.id')
      .orderBy((eb) => eb.case().when(isOngoing(now)).then(eb.lit(0)).else(eb.lit(1)).end())
      .orderBy('created_at', 'desc')
      .orderBy('forwardings.id', 'desc')
      .limit(limits.rows)

    const [, before, , added] = await db.batch(
      [
        touchDestination(destinationKey, now),
        ongoing.select('forwardings.destination_key as destinationKey').compile(),
        insert.compile(),
        own.select('asked').compile(),
        insertAsk.compile(),
        insertEmail.compile(),
        ended.where('destination_key', '=', destinationKey).compile(),
        ended.where('id', 'not in', newest).compile(),
        ...tidied(db, addressId),
        deleteSpentMails({ addressId }),
      ],
      [addressId],
    )
    const [first] = added.rows
    if (first) return fromBit(first.asked) ? 'asked' : 'silent'
    if (before.rows.some((each) => each.destinationKey === destinationKey)) return 'there'
    return before.rows.length < limits.destinations ? 'silent' : 'full'
  }
}

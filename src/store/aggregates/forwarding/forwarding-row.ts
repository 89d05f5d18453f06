import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { AddressId } from '#core/ids.ts'
import type { Database } from '../../database.ts'
import type { Schema } from '../../schema/schema.ts'

export const FORWARDING_COLUMNS = [
  'forwardings.id',
  'forwardings.address_id as addressId',
  'forwardings.destination_key as destinationKey',
  'forwardings.sealed_destination as sealedDestination',
  'forwardings.language',
  'forwardings.state',
  'forwardings.end_reason as end',
  'forwardings.created_at as createdAt',
  'forwardings.confirmed_at as confirmedAt',
  'forwardings.ends_at as endsAt',
  'forwardings.bounces',
] as const

/**
 * Whether a row of `forwardings` has not ended, by its state and by the time. The time does not matter for an address
 * of a subscription.
 */
export function isOngoing(now: number): Expression<SqlBool> {
  const { eb, and, or, exists, selectFrom } = expressionBuilder<Schema, 'forwardings'>()
  const subscribed = selectFrom('addresses')
    .select('addresses.id')
    .whereRef('addresses.id', '=', 'forwardings.address_id')
    .where('addresses.lifetime', '=', 'subscription')
  return and([
    eb('forwardings.state', '<>', 'ended'),
    or([eb('forwardings.ends_at', '>', now), and([eb('forwardings.state', '<>', 'waiting'), exists(subscribed)])]),
  ])
}

/**
 * Returns the statements that follow the removal of forwardings: they remove the bounces and jobs of destinations that
 * are no longer listed.
 */
export function tidied({ write }: Pick<Database, 'write'>, addressId: AddressId) {
  const listed = write.selectFrom('forwardings').where('forwardings.address_id', '=', addressId)
  return [
    write
      .deleteFrom('forwarding_bounces')
      .where('address_id', '=', addressId)
      .where('forwarding_id', 'not in', listed.select('forwardings.id'))
      .compile(),
    write
      .deleteFrom('forwarding_jobs')
      .where('address_id', '=', addressId)
      .where('destination_key', 'not in', listed.select('forwardings.destination_key'))
      .compile(),
  ]
}

import type { StoredWrap, WrappedColumn } from '#core/operating/wraps.ts'
import { METADATA, type Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { inBatches } from '#lib/batches.ts'
import { UNBOUND_VERSION } from '#mail/sealing/format.ts'
import { SealError } from '#mail/sealing/open.ts'
import type { Wrap, WrapPurpose } from '#mail/sealing/wrap.ts'

const PURPOSES: Record<WrappedColumn, WrapPurpose> = {
  'subscriptions.sealed_email': 'email',
  'orders.sealed_email': 'email',
  'emails.sealed': 'letter',
  'account_sessions.sealed_label': 'session label',
  'kept_addresses.sealed_name': 'address',
  'kept_addresses.sealed_label': 'address label',
  'kept_addresses.sealed_secret': 'address secret',
  'api_keys.sealed_label': 'key label',
  'webhooks.sealed_url': 'webhook url',
  'webhooks.sealed_secret': 'webhook secret',
  'webhook_deliveries.sealed': 'webhook',
  'forwardings.sealed_destination': 'forwarding destination',
  'push_subscriptions.sealed': 'push',
}
const COLUMNS = Object.keys(PURPOSES) as WrappedColumn[]

interface BindWrapsDeps {
  store: Pick<Store, 'wraps' | 'ensureMetadata' | 'setMetadata' | 'isLeader'>
  wrap: Wrap
  clock: Clock
  logger: Logger
  /** The time from which new values are bound to their rows. */
  boundFrom: number
}

/**
 * Returns the time since which every box and every wrapped value is bound to its place, in milliseconds since the
 * epoch. It is 0 for a database that never held unbound values. It may be in the future while nodes of the previous
 * version may still run.
 */
export async function readBoundFrom(store: Pick<Store, 'ensureMetadata'>): Promise<number> {
  const time = Number(await store.ensureMetadata(METADATA.boundFrom, '0'))
  return Number.isSafeInteger(time) ? time : 0
}

/** Whether all wrapped values of the database are bound to their rows. */
export const areWrapsBound = async (store: Pick<Store, 'ensureMetadata'>, boundFrom: number): Promise<boolean> =>
  boundFrom === 0 || (await store.ensureMetadata(METADATA.wrapsBound, 'no')) === 'yes'

/**
 * Binds values from before `boundFrom` to their rows, by wrapping them again in place. Once a run finds no such value,
 * unbound values are refused. This takes a further run, because a node with a slow clock may have written unbound
 * values during the previous one. Does nothing while nodes may still write unbound values. All nodes must run it: only
 * the leader binds values, but each node must learn when to refuse unbound ones. Runs may be interrupted, and may
 * overlap.
 */
export function createBindWraps({ store, wrap, clock, logger, boundFrom }: BindWrapsDeps) {
  let done = false

  /** Returns the number of unbound values, without the damaged ones. */
  async function bindColumn(column: WrappedColumn, stopping: AbortSignal): Promise<number> {
    const purpose = PURPOSES[column]
    let found = 0
    const unbound = inBatches<StoredWrap>((limit, after) =>
      store.wraps.list(column, UNBOUND_VERSION, limit, after?.key),
    )
    for await (const each of unbound) {
      if (stopping.aborted) break
      try {
        const bound = wrap.wrap(purpose, wrap.unwrap(purpose, each.sealed, each.row), each.row)
        found++
        // One at a time, so that incoming mail is not delayed.
        await store.wraps.replace(column, each, bound)
      } catch (error) {
        if (!(error instanceof SealError)) throw error
        logger.error({ err: error, column }, 'a stored value is damaged')
      }
    }
    return found
  }

  return async (stopping: AbortSignal): Promise<void> => {
    if (done || clock() < boundFrom) return
    if (!(await areWrapsBound(store, boundFrom))) {
      if (!(await store.isLeader())) return
      let found = 0
      for (const column of COLUMNS) {
        found += await bindColumn(column, stopping)
        if (stopping.aborted) return
      }
      if (found > 0) return logger.info({ values: found }, 'values bound to their rows')
      await store.setMetadata(METADATA.wrapsBound, 'yes')
    }
    wrap.refuseUnbound()
    done = true
  }
}

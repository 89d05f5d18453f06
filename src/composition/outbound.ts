import { join } from 'node:path'
import { mailHostOf } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { Outbound } from '#core/email/email.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, DAY, HOUR } from '#core/time.ts'
import { createRelay } from '#integrations/outbound.ts'
import { createOutbox, outboxFiles } from '#integrations/outbox.ts'
import type { ClockWatch } from '#lib/clock-watch.ts'
import { createPeriodic, type Periodic } from '#lib/periodic.ts'

export const outboxDirectory = (config: Config): string => join(config.storage.directory, 'outbox')

/**
 * Sends email through the relay or, without one, writes it to files. `from` is for emails without an envelope of their
 * own.
 */
export function composeOutbound(
  config: Config,
  {
    from,
    timeout,
    maxConnections,
    clock,
    logger,
  }: { from: string; timeout: number; maxConnections: number; clock: Clock; logger: Logger },
): Outbound {
  const { relayUrl: url } = config.email
  if (url === undefined) return createOutbox(outboxDirectory(config), { from, clock, logger })
  return createRelay({ url, name: mailHostOf(config), from, timeout, maxConnections })
}

/** How long emails in the outbox are kept. They are there to be read, not to be sent later: a week is enough. */
const OUTBOX_TIME = 7 * DAY

/** Removes old emails from the outbox. Every node does it, because each has its own outbox. */
export function outboxPruning(
  config: Config,
  { clock, logger, clockWatch }: { clock: Clock; logger: Logger; clockWatch: ClockWatch },
): Periodic {
  const files = outboxFiles(outboxDirectory(config))
  return createPeriodic({
    clock,
    logger,
    name: 'pruning of the outbox',
    interval: HOUR,
    atStart: true,
    mayRun: clockWatch.isSteady,
    work: async () => void (await files.prune(clock() - OUTBOX_TIME)),
  })
}

import { randomBytes } from 'node:crypto'
import type { Config } from '#config/table.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import type { CatchAll } from '#features/compat/index.ts'
import { createSupport } from '#features/operating/index.ts'
import type { DomainRecipients } from '#features/own-domains/index.ts'
import { createFaultInjector, createReceive, type ReceiveDeps } from '#features/receiving/index.ts'
import type { Base } from './base.ts'
import { maxDelayedPerClient } from './local-limits.ts'
import type { Mailbox } from './mailbox.ts'

/** From SMTP and the forms of the site into an inbox. */
export function composeReceiving(
  config: Config,
  base: Base,
  { summaries, deliveryLog }: Mailbox,
  forwarding: Pick<ReceiveDeps, 'forwardingQueue' | 'forwardingReports' | 'forwardDomain'>,
  ownDomains: Pick<DomainRecipients, 'recipient'>,
  { catchAll, onKept }: { catchAll: CatchAll | undefined } & Pick<ReceiveDeps, 'onKept'>,
) {
  const { clock, store, sealer, key, domains, storageBytes, maxMessageBytes, retention, memory, wrap } = base
  const { forwardingQueue, forwardingReports, forwardDomain } = forwarding
  const receive = createReceive({
    store,
    sealer,
    summaries,
    clock,
    logger: base.logger,
    newMessageId: messageIds(clock, randomBytes),
    serviceKey: key,
    domains,
    forwardingQueue,
    forwardingReports,
    forwardDomain,
    ownSender: base.ownSender,
    operatorAddress: base.operatorAddress,
    ownDomains,
    catchAll: catchAll && (async () => (await catchAll.open()).open.row),
    onKept,
    storageBytes,
    maxMessageBytes,
    retention,
    group: base.limits.appendGroup,
    memory,
    deliveryLog,
    faultInjector: createFaultInjector({ wrap, maxDelayedPerClient: maxDelayedPerClient(config) }),
  })
  const support = createSupport({
    receive,
    domains,
    clock,
    wrap,
    maxMessageCharacters: config.http.supportMessageCharacters,
    maxNameCharacters: config.http.supportNameCharacters,
  })
  return { receive, support }
}

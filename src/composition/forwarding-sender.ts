import { randomBytes } from 'node:crypto'
import type { Config } from '#config/table.ts'
import type { DestinationLimits } from '#core/forwarding/forwarding-rules.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import { DAY, SECOND } from '#core/time.ts'
import {
  type ForwardingWay,
  type IsOurs,
  createForwardedMail,
  createForwardingFaults,
  createForwardingQueue,
  createForwardingReports,
  createForwardingSender,
  noForwardingQueue,
  takesMail,
} from '#features/forwarding/index.ts'
import { createDns } from '#integrations/dns.ts'
import type { Marks } from '#mail/forwarding/mark.ts'
import { createReturnPaths } from '#mail/forwarding/srs.ts'
import { forwardingKeys } from '#mail/sealing/keys.ts'
import type { Base } from './base.ts'
import { composeOutbound } from './outbound.ts'

/** What sending stands on. */
export interface ForwardingSenderBase extends Pick<
  Base,
  'clock' | 'logger' | 'metrics' | 'key' | 'store' | 'sealer' | 'opener' | 'reader' | 'memory' | 'wrap' | 'signingKey'
> {
  /** Where mail goes. */
  way: ForwardingWay
  isOurs: IsOurs
  /** Where bounces come back to. */
  domain: string
  stopUrl: (language: string, token: string) => string
  marks: Marks
  destinationLimits: DestinationLimits
}

/** How long a message that the relay does not take is tried again. */
const RETRY_FOR = DAY
/** How late a bounce may come. */
const RETURN_DAYS = 30
/** Mail that waits in the queue of the authenticators has so many times the time of one. */
const READER_QUEUE = 4
/** How long a stop waits for mails that are being handed over. */
const GRACE = 5 * SECOND

/** The part of forwarding that sends messages, and that reads what comes back. */
export function composeForwardingSender(config: Config, base: ForwardingSenderBase) {
  const { clock, logger, metrics, key, store, way, marks, destinationLimits } = base
  const send = config.email.timeout
  const lookUp = config.ownDomains.lookupTimeout
  const keys = forwardingKeys(key)
  const returnPaths = createReturnPaths(key, { days: RETURN_DAYS })
  const dns = createDns({ servers: config.server.dnsServers, timeout: lookUp })
  // Connections of its own: who signs in does not wait for the mail of others.
  const outbound = composeOutbound(config, {
    from: '',
    maxConnections: config.forwarding.maxAtOnce,
    clock,
    logger,
  })
  const faults = createForwardingFaults({
    store: store.forwardings,
    clock,
    logger,
    metrics,
    bounces: { max: config.forwarding.maxBounces, within: config.forwarding.bounceTime },
  })
  const sender = createForwardingSender({
    jobs: store.forwardingJobs,
    forwardings: store.forwardings,
    addresses: store.addresses,
    make: createForwardedMail({
      reader: base.reader,
      wrap: base.wrap,
      keys,
      opener: base.opener,
      marks,
      returnPaths,
      clock,
      limits: { maxBytes: config.forwarding.maxBytes, maxHops: config.forwarding.maxHops },
      domain: base.domain,
      signingKey: base.signingKey,
      stopUrl: base.stopUrl,
      isOurs: base.isOurs,
      // Into a file mail may go wherever the DNS leads, or where there is none.
      takesMail: async (domain) => way === 'outbox' || takesMail(dns, domain),
      credulous: way === 'outbox',
    }),
    outbound,
    faults,
    memory: base.memory,
    clock,
    logger,
    metrics,
    random: Math.random,
    destinationLimits,
    limits: { perHour: config.forwarding.perHour, perDay: config.forwarding.perDay },
    timeouts: { make: lookUp + READER_QUEUE * config.mailbox.authenticationTimeout, send },
    retryFor: RETRY_FOR,
    maxAtOnce: config.forwarding.maxAtOnce,
    maxPerDestination: config.forwarding.maxPerDestination,
  })
  const queue = createForwardingQueue({
    store: store.forwardings,
    sealer: base.sealer,
    publicKey: keys.publicKey,
    newJobId: messageIds(clock, randomBytes),
    clock,
    destinationLimits,
    onQueued: sender.wake,
  })
  const reports = createForwardingReports({
    store: store.forwardings,
    jobs: store.forwardingJobs,
    reader: base.reader,
    returnPaths,
    marks,
    faults,
    clock,
    metrics,
  })
  return {
    forwardingQueue: way === 'none' ? noForwardingQueue : queue,
    forwardingReports: reports,
    forwardingSender: {
      /** Where nothing may leave, what was queued when it might stays as it is. */
      start: () => void (way !== 'none' && sender.start()),
      /** To be called before the reader and the store are closed. */
      async stop() {
        await sender.stop(GRACE)
        dns.close()
        await outbound.close()
      },
    },
  }
}

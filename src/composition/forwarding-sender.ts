import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { namesOfService } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { DestinationLimits } from '#core/forwarding/forwarding-rules.ts'
import type { IsOurs } from '#core/mailbox/domain.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import { DAY, SECOND } from '#core/time.ts'
import {
  type ForwardingTransport,
  createForwardedMail,
  createForwardingFailures,
  createForwardingQueue,
  createForwardingReports,
  createForwardingSender,
  noForwardingQueue,
  takesMail,
} from '#features/forwarding/index.ts'
import { createDns } from '#integrations/dns.ts'
import type { ForwardingMarks } from '#mail/forwarding/mark.ts'
import { createReturnPaths } from '#mail/forwarding/srs.ts'
import { forwardingKeys } from '#mail/sealing/keys.ts'
import type { Base } from './base.ts'
import { composeOutbound } from './outbound.ts'

interface SenderOptions {
  /** Where messages go. */
  transport: ForwardingTransport
  isOurs: IsOurs
  /** The domain that bounces come back to. */
  domain: string
  stopUrl: (language: string, token: string) => string
  marks: ForwardingMarks
  destinationLimits: DestinationLimits
}

/** How long a message that the relay rejects temporarily is retried. */
const RETRY_FOR = DAY
/** How late a bounce may arrive, in days. */
const RETURN_DAYS = 30
/** How long a refusal or bounce counts. Several within a week mean that the mailbox no longer exists. */
const BOUNCE_TIME = 7 * DAY
/** With its wait for the authenticators, a check may take this many times the timeout of one. */
const READER_QUEUE = 4
/**
 * Sending a forwarded message may take this many times as long as an own email. A relay may check a large message for
 * minutes before its last reply (RFC 5321 4.5.3.2.6). The message is sent twice if we do not wait for it.
 */
const SEND_TIMES = 5
/** How long a stop waits for messages that are being handed over. */
const GRACE = 5 * SECOND

/** The part of forwarding that sends messages and reads bounces and complaints. */
export function composeForwardingSender(
  config: Config,
  base: Base,
  { transport, isOurs, domain, stopUrl, marks, destinationLimits }: SenderOptions,
) {
  const { clock, logger, metrics, key, store } = base
  const send = SEND_TIMES * config.email.timeout
  const lookUp = config.ownDomains.lookupTimeout
  const keys = forwardingKeys(key)
  const returnPaths = createReturnPaths(key, { days: RETURN_DAYS })
  const dns = createDns({ servers: config.server.dnsServers, timeout: lookUp })
  // Separate connections, so that sign-in emails do not wait for forwarded messages.
  const outbound = composeOutbound(config, {
    from: '',
    timeout: send,
    maxConnections: config.forwarding.maxAtOnce,
    clock,
    logger,
  })
  const failures = createForwardingFailures({
    store: store.forwardings,
    addresses: store.addresses,
    destinationLimits,
    clock,
    logger,
    metrics,
    bounces: { max: config.forwarding.maxBounces, within: BOUNCE_TIME },
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
      domain,
      serviceDomains: namesOfService(config),
      signingKey: base.signingKey,
      stopUrl,
      isOurs,
      // The outbox accepts any domain, because nothing leaves the machine.
      takesMail: async (destination) => transport === 'outbox' || takesMail(dns, destination),
      acceptsUnknownSenders: transport === 'outbox',
    }),
    outbound,
    failures,
    memory: base.memory,
    clock,
    logger,
    metrics,
    random: base.random,
    destinationLimits,
    limits: { perHour: config.forwarding.perHour, perDay: config.forwarding.perDay },
    timeouts: { make: lookUp + READER_QUEUE * config.mailbox.authenticationTimeout, send },
    retryFor: RETRY_FOR,
    maxAtOnce: config.forwarding.maxAtOnce,
    maxPerDestination: config.forwarding.maxPerDestination,
  })
  const stopping = new AbortController()
  const queue = createForwardingQueue({
    store: store.forwardings,
    jobs: store.forwardingJobs,
    sealer: base.sealer,
    publicKey: keys.publicKey,
    newJobId: messageIds(clock, randomBytes),
    clock,
    destinationLimits,
    mayBeInDoubt: config.storage.databaseUrl !== undefined,
    onQueued: sender.wake,
    logger,
    random: base.random,
    stopping: stopping.signal,
  })
  const reports = createForwardingReports({
    store: store.forwardings,
    jobs: store.forwardingJobs,
    reader: base.reader,
    returnPaths,
    marks,
    failures,
    clock,
    metrics,
  })
  return {
    forwardingQueue: transport === 'none' ? noForwardingQueue : queue,
    forwardingReports: reports,
    forwardingSender: {
      /** If nothing may leave, earlier queued messages stay in the queue. */
      start: () => void (transport !== 'none' && sender.start()),
      /** Call it before the reader and the store are closed. */
      async stop() {
        stopping.abort()
        await Promise.all([
          sender.stop(GRACE),
          Promise.race([queue.settled(), setTimeout(GRACE, undefined, { ref: false })]),
        ])
        dns.close()
        await outbound.close()
      },
    },
  }
}

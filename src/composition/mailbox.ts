import { randomBytes, randomInt } from 'node:crypto'
import { configuredSite } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import { REMOTE_URLS_MAX } from '#core/mailbox/message.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#core/time.ts'
import {
  createAddressNames,
  createAddresses,
  createClaims,
  createDeliveries,
  createFaults,
  createDeliveryLog,
  createMessageChecks,
  createMessages,
  createReadings,
  createRemoteContent,
  createSweep,
  createSecrets,
  createSenderChecks,
  createSummaries,
  createUnsubscribe,
  createWithdrawals,
  mailFrame,
  type WebhookAnnouncer,
} from '#features/mailbox/index.ts'
import { PROXY_PATH } from '#http/routes/mailbox/frame.ts'
import { createLinkCheck } from '#integrations/link-check.ts'
import { createRemoteFetch } from '#integrations/remote-fetch.ts'
import { createSpamFilter } from '#integrations/spam-filter.ts'
import { createWebhookPost } from '#integrations/webhook-post.ts'
import type { Base } from './base.ts'

/** Sender checks that wait for name servers, and when checks are suspended. */
const SENDER_CHECKS = { maxWaiting: 500, breaker: { failures: 20, pause: 15 * SECOND } }
/** How long a summary that nobody waits for may take. */
const SUMMARY_PATIENCE = 200
/** Messages of one address that are opened at the same time, and requests that may wait. */
export const READINGS = { atOnce: 2, maxWaiting: 500 }
/** Remote images: the largest size, the timeout for one, and how long their URLs work. */
const REMOTE_CONTENT = { maxBytes: 5 * 1024 * 1024, timeout: 10 * SECOND, urlLifetime: DAY }
const REMOTE_SLOTS = {
  all: { atOnce: 40, maxWaiting: 2000 },
  visitor: { atOnce: 15, maxWaiting: REMOTE_URLS_MAX },
}
/** How long the host of a mailing list may take to accept an unsubscribing. */
const UNSUBSCRIBE_TIMEOUT = 10 * SECOND
/** Checks of links: the timeouts, the links of one message that are opened at once, and the messages at once. */
const LINK_CHECK = { linkTimeout: 8 * SECOND, timeout: 30 * SECOND, linksAtOnce: 4, maxAtOnce: 10 }
/** Checks of a message by the spam filter. */
const SPAM_CHECK = { timeout: 10 * SECOND, maxAtOnce: 4 }
/** A visit is stored if it extends the address by at least this much. */
export const VISIT_GRANULARITY = MINUTE

type FrameArguments = Parameters<typeof mailFrame> extends [unknown, ...infer Rest] ? Rest : never

export type Mailbox = ReturnType<typeof composeMailbox>

/** Addresses and their messages. `announcer` announces each message when its first summary is stored. */
export function composeMailbox(config: Config, base: Base, announcer: WebhookAnnouncer) {
  const { clock, logger, metrics, store, bus, key, memory, reader, opener, seal, lifetimes, limits } = base
  const reserved = [base.ownSender, base.operatorAddress]
  const names = createAddressNames({
    random: (bound) => randomInt(bound),
    serviceKey: key,
    domains: base.domains,
    reserved,
  })
  const claims = createClaims({ store: store.addresses, clock, seal, lifetimes, reserved })
  const addresses = createAddresses({
    store: store.addresses,
    keptAddresses: store.keptAddresses,
    bus,
    clock,
    names,
    claims,
    opener,
    lifetimes,
    storageBytes: base.storageBytes,
    visitGranularity: VISIT_GRANULARITY,
    logger,
  })
  const secrets = createSecrets({
    store: store.addresses,
    seal,
    opener,
    wrap: base.wrap,
    bus,
    clock,
    keepKeys: Math.max(...Object.values(base.retention)) + HOUR,
  })
  const summaries = createSummaries({
    messages: store.messages,
    reader,
    bus,
    sealer: base.sealer,
    opener,
    checks: createSenderChecks({ reader, memory, metrics, ...SENDER_CHECKS }),
    memory,
    announcer,
    logger,
    metrics,
    backlogMax: config.mailbox.parserBacklog,
    patience: config.storage.databaseUrl === undefined ? SUMMARY_PATIENCE : 0,
  })
  const remoteContent = createRemoteContent({
    key,
    clock,
    prefix: PROXY_PATH,
    urlLifetime: REMOTE_CONTENT.urlLifetime,
    fetchImage: createRemoteFetch(REMOTE_CONTENT),
    slots: REMOTE_SLOTS,
  })
  const messages = createMessages({
    store,
    addresses,
    summaries,
    reader,
    opener,
    readings: createReadings({ memory, ...READINGS }),
    remoteContent,
    bus,
    clock,
    pageSize: config.mailbox.pageSize,
    scanMax: limits.filterScan,
    minRetention: Math.min(...Object.values(base.retention)),
  })
  const { rspamdUrl } = config.mailbox
  const checkMessage = createMessageChecks({
    messages,
    checkLinks: createLinkCheck(LINK_CHECK),
    askSpamFilter: rspamdUrl === undefined ? undefined : createSpamFilter({ url: rspamdUrl, ...SPAM_CHECK }),
  })
  const deliveries = createDeliveries({ store, summaries, opener, bus, clock, retention: base.retention })
  const deliveryLog = createDeliveryLog({
    store: store.deliveries,
    sealer: base.sealer,
    newMessageId: messageIds(clock, randomBytes),
    bus,
    clock,
    metrics,
    retention: base.retention,
  })
  const post = createWebhookPost({ timeout: UNSUBSCRIBE_TIMEOUT, configuredSite: configuredSite(config) })
  const sweep = createSweep({
    store,
    bus,
    clock,
    clockWatch: base.clockWatch,
    logger,
    metrics,
    stepRows: limits.sweepRows,
    interval: config.storage.sweepInterval,
    keepOrders: config.payments.keepOrders,
    keepForwarded: config.forwarding.logTime,
  })
  return {
    names,
    claims,
    addresses,
    secrets,
    summaries,
    remoteContent,
    messages,
    checkMessage,
    deliveries,
    deliveryLog,
    faults: createFaults({ store: store.addresses, wrap: base.wrap, clock }),
    unsubscribe: createUnsubscribe({ messages, post: async (...args) => (await post.send(...args)).status }),
    sweep,
    withdrawals: createWithdrawals({
      store: store.addresses,
      addresses,
      serviceKey: key,
      domains: base.domains,
      ownSender: base.ownSender,
      operatorAddress: base.operatorAddress,
      quarantine: lifetimes.quarantine,
      ownerOf: async (domain) => (await store.ownDomains.owner(domain))?.subscriptionId,
      clock,
      logger,
    }),
    frame: (...args: FrameArguments) => mailFrame(messages, ...args),
  }
}

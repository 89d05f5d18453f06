import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { forwardingWay } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { createLibrary } from '#content/library.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import type { Lifetime, Lifetimes } from '#core/mailbox/lifetime.ts'
import { messageIds } from '#core/mailbox/message-id.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import { type Clock, HOUR, MINUTE, SECOND } from '#core/time.ts'
import { withAccountEvents } from '#events/account-events.ts'
import { createSharedBus } from '#events/shared-bus.ts'
import {
  createAddressNames,
  createAddresses,
  createClaims,
  createClockWatch,
  createMessages,
  createReadings,
  createRemoteContent,
  createRetention,
  createSenderChecks,
  createSummaries,
  mailFrame,
} from '#features/mailbox/index.ts'
import { createSupport } from '#features/operating/index.ts'
import { createReceive, ensureOperatorMailbox } from '#features/receiving/index.ts'
import { shareLimits } from '#http/limits/shared-limits.ts'
import { createRemoteFetch } from '#integrations/remote-fetch.ts'
import { createReader } from '#mail/reader/reader.ts'
import { createOpener } from '#mail/sealing/open.ts'
import { createSeal, sealAll } from '#mail/sealing/seal.ts'
import { createSealer } from '#mail/sealing/sealer.ts'
import { createLogger } from '#telemetry/logger.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { assembleForwarding } from './forwarding.ts'
import { assemblePresence } from './operating.ts'
import { assemblePremium } from './premium.ts'
import { assembleStore } from './store.ts'

/** How long a stop waits for summaries that are being made. */
const SUMMARIES_GRACE = 2 * SECOND

export const PROXY_PATH = '/proxy'
/** Messages, and bytes of them, that share one transaction. */
const GROUP = { maxMessages: 200, maxBytes: 16 * 1024 * 1024 }
/** Checks of senders that wait for name servers, and when they are given up for a while. */
const SENDER_CHECKS_MAX = 500
const SENDER_CHECKS_BREAKER = { failures: 20, pause: 15 * SECOND }
/** Messages of one address that are opened at one time, and requests for more that wait. */
const READINGS = { atOnce: 2, maxWaiting: 500 }
/** Remote images: the largest one, milliseconds for one, how many are fetched at once, and how long their URLs work. */
const REMOTE_CONTENT = { maxBytes: 5 * 1024 * 1024, timeout: 10 * SECOND, maxAtOnce: 40, urlLifetime: 24 * HOUR }
/** Messages that a filter looks through for one answer. */
const FILTER_SCAN_MAX = 500
/** Rows that one step of the sweep removes. */
const SWEEP_STEP_ROWS = 200
/** A visit is written down when it moves the end of the address by a minute. */
const VISIT_GRANULARITY = MINUTE

/** Use cases over real parts: all that the servers and the command line stand on. */
export type Services = Awaited<ReturnType<typeof assemble>>

/** The wiring diagram. Everything below gets what it needs as arguments; only here it is decided which part that is. */
export async function assemble(config: Config, clock: Clock = () => Date.now()) {
  const logger = createLogger(config.server.logLevel)
  const metrics = createMetrics()
  const domains: Domain[] = [
    ...config.server.domains.map((name) => ({ name, tier: 'free' as const })),
    ...config.server.premiumDomains.map((name) => ({ name, tier: 'premium' as const })),
  ]
  const lifetimes: Lifetimes = {
    day: config.mailbox.addressLifetime,
    tenMinutes: config.mailbox.tenMinutesLifetime,
    quarantine: config.mailbox.quarantine,
  }
  const storageBytes = byLifetime(
    config.mailbox.storageBytes,
    config.premium.storageBytes,
    config.mailbox.operatorStorageBytes,
  )
  const retention = byLifetime(config.mailbox.retention, config.premium.retention, config.mailbox.operatorRetention)

  const { opened, key, boundFrom } = await assembleStore(config, logger)
  const seal = createSeal(boundFrom)
  const opener = createOpener(boundFrom)
  const operatorSecret = await ensureOperatorMailbox({ store: opened.addresses, clock, seal, serviceKey: key }).catch(
    async (error: unknown) => {
      await opened.close()
      throw error
    },
  )
  const memory = new MemoryBudget(config.mailbox.memoryBytes)
  const bus = createSharedBus(opened.channel, logger)
  const store = withAccountEvents(opened, bus)
  const sealer = createSealer({ boundFrom })
  const reader = createReader({
    memory: config.mailbox.parserMemoryBytes,
    dnsServers: config.server.dnsServers,
    authenticationTimeout: config.mailbox.authenticationTimeout,
  })
  const checks = createSenderChecks({
    reader,
    memory,
    metrics,
    maxWaiting: SENDER_CHECKS_MAX,
    breaker: SENDER_CHECKS_BREAKER,
  })
  const names = createAddressNames({ random: (bound) => randomInt(bound), serviceKey: key, domains })
  const claims = createClaims({ store: store.addresses, clock, seal, lifetimes })
  const addresses = createAddresses({
    store: store.addresses,
    keptAddresses: store.keptAddresses,
    bus,
    clock,
    names,
    claims,
    opener,
    lifetimes,
    storageBytes,
    visitGranularity: VISIT_GRANULARITY,
  })
  const premium = assemblePremium(config, {
    clock,
    logger,
    metrics,
    key,
    store,
    bus,
    lifetimes,
    names,
    claims,
    seal,
    opener,
    boundFrom,
    longestRetention: Math.max(...Object.values(retention)),
    addresses,
    visitGranularity: VISIT_GRANULARITY,
  })
  const presence = assemblePresence(config, premium)
  const summaries = createSummaries({
    messages: store.messages,
    reader,
    bus,
    sealAll: (items) => sealAll(items, boundFrom),
    opener,
    checks,
    memory,
    onSummarized: (message) => premium.webhooks.announce(message),
    logger,
    metrics,
    backlogMax: config.mailbox.parserBacklog,
  })
  const remoteContent = createRemoteContent({
    key,
    clock,
    prefix: PROXY_PATH,
    urlLifetime: REMOTE_CONTENT.urlLifetime,
    fetchImage: createRemoteFetch({
      maxBytes: REMOTE_CONTENT.maxBytes,
      timeout: REMOTE_CONTENT.timeout,
      maxAtOnce: REMOTE_CONTENT.maxAtOnce,
    }),
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
    scanMax: FILTER_SCAN_MAX,
    minRetention: Math.min(...Object.values(retention)),
  })
  const forwarding = assembleForwarding(config, {
    clock,
    logger,
    metrics,
    key,
    store,
    lifetimes,
    messages,
    emails: premium.emails,
    wrap: premium.wrap,
    sealer,
    opener,
    reader,
    memory,
    signingKey: premium.signingKey,
    site: premium.site,
    ownDomains: { recipient: premium.domainRecipient },
  })
  const receive = createReceive({
    store,
    sealer,
    summaries,
    clock,
    newMessageId: messageIds(clock, randomBytes),
    serviceKey: key,
    domains,
    ...forwarding,
    ownDomains: { recipient: premium.domainRecipient },
    storageBytes,
    maxMessageBytes: byLifetime(
      config.mailbox.maxMessageBytes,
      config.premium.maxMessageBytes,
      config.mailbox.maxMessageBytes,
    ),
    retention,
    group: GROUP,
    memory,
  })
  const limitKey = createHmac('sha256', key).update('limits').digest()
  shareLimits({ ...receive.rates, ...premium.signIn.rates }, store.channel, limitKey)
  const support = createSupport({
    receive,
    domains,
    clock,
    wrap: premium.wrap,
    maxMessageCharacters: config.http.supportMessageCharacters,
    maxNameCharacters: config.http.supportNameCharacters,
  })
  const sweeper = createRetention({
    store,
    bus,
    clock,
    clockWatch: createClockWatch({ store, clock, logger }),
    logger,
    metrics,
    stepRows: SWEEP_STEP_ROWS,
    interval: config.storage.sweepInterval,
    keepOrders: config.payments.keepOrders,
    keepForwarded: config.forwarding.logTime,
  })

  return {
    ...premium,
    ...forwarding,
    clock,
    logger,
    metrics,
    domains,
    presence,
    mtaSts: presence.mtaSts,
    lifetimes,
    store,
    bus,
    reader,
    memory,
    channel: store.channel,
    limitKey,
    addresses,
    messages,
    receive,
    support,
    remoteContent,
    library: createLibrary(fileURLToPath(new URL('../../content', import.meta.url)), {
      forwarding: forwardingWay(config) !== 'none',
    }),
    retention: sweeper,
    operatorSecret,
    frame: (...args: FrameArguments) => mailFrame(messages, ...args),
    /** Everything that was acknowledged is on disk already; this lets summaries under way be kept too. */
    async close() {
      await Promise.all([sweeper.stop(), premium.close(), forwarding.forwardingSender.stop()])
      // A summary is a cache: a name server that doesn't answer must not hold the stop up.
      await Promise.race([summaries.settled(), setTimeout(SUMMARIES_GRACE, undefined, { ref: false })])
      summaries.quiet()
      await Promise.all([reader.close(), sealer.close()])
      await store.close()
    },
  }
}

type FrameArguments = Parameters<typeof mailFrame> extends [unknown, ...infer Rest] ? Rest : never

function byLifetime(visitors: number, subscription: number, operator: number): Record<Lifetime, number> {
  return { day: visitors, 'ten-minutes': visitors, subscription, operator }
}

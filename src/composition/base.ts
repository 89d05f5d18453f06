import { createHmac } from 'node:crypto'
import type { Config } from '#config/table.ts'
import type { EndRules } from '#core/billing/subscription.ts'
import type { Outbound } from '#core/email/email.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import type { Lifetime, Lifetimes } from '#core/mailbox/lifetime.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, DAY, HOUR } from '#core/time.ts'
import { withAccountEvents } from '#events/account-events.ts'
import { createSharedBus } from '#events/shared-bus.ts'
import { createEmailSender, createEmails, createSignEmail, createSigningKey } from '#features/email/index.ts'
import { createClockWatch } from '#features/mailbox/index.ts'
import { ensureOperatorMailbox } from '#features/receiving/index.ts'
import { pathIn } from '#locales/languages.ts'
import { createReader } from '#mail/reader/reader.ts'
import { createOpener } from '#mail/sealing/open.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { createSealer } from '#mail/sealing/sealer.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { createLogger } from '#telemetry/logger.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { composeOutbound } from './outbound.ts'
import { openBaseStore } from './store.ts'

/** How long an email that the relay rejects temporarily is retried. */
const EMAIL_RETRY_FOR = DAY
/** Connections to the relay for Mayfly's own emails. */
const RELAY_CONNECTIONS = 4

/** Parts that tests replace. */
export interface Overrides {
  clock?: Clock
  logger?: Logger
  /** Wraps the store. */
  store?: (store: Store) => Store
  /** Wraps the relay or the outbox. */
  outbound?: (outbound: Outbound) => Outbound
}

/** What every feature needs. */
export type Base = Awaited<ReturnType<typeof composeBase>>

export async function composeBase(config: Config, overrides: Overrides) {
  const { clock = Date.now, logger = createLogger(config.server.logLevel) } = overrides
  const metrics = createMetrics()
  const { opened, key, boundFrom, wrapsBound } = await openBaseStore(config, logger)
  const seal = createSeal(boundFrom)
  const operatorSecret = await ensureOperatorMailbox({ store: opened.addresses, clock, seal, serviceKey: key }).catch(
    async (error: unknown) => {
      await opened.close()
      throw error
    },
  )
  const bus = createSharedBus(opened.channel, logger)
  const events = withAccountEvents(opened, bus)
  const store = overrides.store?.(events) ?? events
  const wrap = createWrap(key, boundFrom, (purpose, error) =>
    logger.error({ err: error, purpose }, 'a stored value is damaged'),
  )
  if (wrapsBound) wrap.refuseUnbound()
  /** The URL of the site. With port 0 it is known only once the server listens. */
  const site = { url: config.server.publicUrl ?? `http://localhost:${config.server.httpPort}` }
  const from = config.email.from ?? `noreply@${config.server.domains[0] ?? 'localhost'}`
  const outbound = composeOutbound(config, { from, maxConnections: RELAY_CONNECTIONS, clock, logger })
  const signingKey = createSigningKey({ store, wrap, selector: config.email.dkimSelector })
  const sender = createEmailSender({
    store: store.emails,
    outbound: overrides.outbound?.(outbound) ?? outbound,
    sign: createSignEmail(signingKey, from, logger),
    wrap,
    clock,
    logger,
    metrics,
    settings: { from, siteUrl: () => site.url, freeHours: config.mailbox.addressLifetime / HOUR },
    random: Math.random,
    timeout: config.email.timeout,
    retryFor: EMAIL_RETRY_FOR,
  })
  return {
    clock,
    logger,
    metrics,
    key,
    /** The key that hides clients in the limits that nodes share. */
    limitKey: createHmac('sha256', key).update('limits').digest(),
    store,
    channel: store.channel,
    bus,
    clockWatch: createClockWatch({ store, clock, logger }),
    memory: new MemoryBudget(config.mailbox.memoryBytes),
    boundFrom,
    seal,
    opener: createOpener(boundFrom),
    sealer: createSealer({ boundFrom }),
    reader: createReader({
      memory: config.mailbox.parserMemoryBytes,
      dnsServers: config.server.dnsServers,
      authenticationTimeout: config.mailbox.authenticationTimeout,
    }),
    wrap,
    signingKey,
    outbound,
    emails: createEmails({ store, sender, wrap, clock, logger, metrics }),
    site,
    /** Returns the URL of a page in a language. */
    pageUrl:
      (path: string) =>
      (language: string): string =>
        site.url + pathIn(language, path),
    operatorSecret,
    ...rulesOf(config),
  }
}

/** What the settings say about all addresses, in the types of `core`. */
function rulesOf(config: Config) {
  const { mailbox, premium, server } = config
  const domains: Domain[] = [
    ...server.domains.map((name) => ({ name, tier: 'free' as const })),
    ...server.premiumDomains.map((name) => ({ name, tier: 'premium' as const })),
  ]
  const lifetimes: Lifetimes = {
    day: mailbox.addressLifetime,
    tenMinutes: mailbox.tenMinutesLifetime,
    quarantine: mailbox.quarantine,
  }
  const ends: EndRules = { grace: premium.grace, notice: premium.notice }
  return {
    domains,
    lifetimes,
    ends,
    storageBytes: byLifetime(mailbox.storageBytes, premium.storageBytes, mailbox.operatorStorageBytes),
    retention: byLifetime(mailbox.retention, premium.retention, mailbox.operatorRetention),
    maxMessageBytes: byLifetime(mailbox.maxMessageBytes, premium.maxMessageBytes, mailbox.maxMessageBytes),
  }
}

function byLifetime(free: number, subscription: number, operator: number): Record<Lifetime, number> {
  return { day: free, 'ten-minutes': free, subscription, operator }
}

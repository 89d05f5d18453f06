import { createHmac } from 'node:crypto'
import { firstDomain } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import type { EndRules } from '#core/billing/subscription.ts'
import type { Outbound } from '#core/email/email.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import type { Lifetime, Lifetimes } from '#core/mailbox/lifetime.ts'
import type { MailReader, Sealer } from '#core/mailbox/mail-reader.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, HOUR } from '#core/time.ts'
import { withAccountEvents } from '#events/account-events.ts'
import { createSharedBus } from '#events/shared-bus.ts'
import {
  createEmailSender,
  createEmails,
  createSignEmail,
  createSigningKey,
  type SigningKeyOf,
} from '#features/email/index.ts'
import type { WebhookAnnouncer } from '#features/mailbox/index.ts'
import { ensureOperatorMailbox } from '#features/receiving/index.ts'
import { createClockWatch } from '#lib/clock-watch.ts'
import { pathIn } from '#locales/languages.ts'
import { mailboxAddress } from '#mail/email-address.ts'
import { createReader } from '#mail/reader/reader.ts'
import { createOpener } from '#mail/sealing/open.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { createSealer } from '#mail/sealing/sealer.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { createLogger } from '#telemetry/logger.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { LIMITS, type Limits } from './limits.ts'
import { operatorAddressOf } from './operator-address.ts'
import { composeOutbound } from './outbound.ts'
import { openBaseStore } from './store.ts'

/** Connections to the relay for Mayfly's own emails. */
const RELAY_CONNECTIONS = 4

/** The threads that parse and seal messages. */
export interface Threads {
  reader: MailReader
  sealer: Sealer
}

/** Parts that tests replace, and what commands need. */
export interface Overrides {
  clock?: Clock
  logger?: Logger
  /** Returns the jitter of retries, from 0 up to, but not including, 1. */
  random?: () => number
  /** Whether the database and the service key must exist, as for commands: only the start creates them. */
  mustExist?: boolean
  /** Opens the store, instead of the one that the settings name. */
  openStore?: () => Promise<Store>
  /** Wraps the store. */
  store?: (store: Store) => Store
  /** Wraps the relay or the outbox that sends Mayfly's own emails. */
  outbound?: (outbound: Outbound) => Outbound
  /** Threads that several services share. `close` of the services does not close them. */
  threads?: Threads
  /** The key that signs emails and forwarded messages. Without it, one is generated and stored, which is slow. */
  signingKey?: SigningKeyOf
  /** The payment providers, instead of those that the settings name. */
  providers?: readonly PaymentProvider[]
  /** Announces each message, instead of calls to webhooks. */
  announcer?: WebhookAnnouncer
  limits?: Partial<Limits>
}

/** The dependencies of every feature. */
export type Base = Awaited<ReturnType<typeof composeBase>>

export async function composeBase(config: Config, overrides: Overrides) {
  const { clock = Date.now, logger = createLogger(config.server.logLevel), random = Math.random } = overrides
  const limits: Limits = { ...LIMITS, ...overrides.limits }
  const metrics = createMetrics()
  const { opened, key, boundFrom, wrapsBound } = await openBaseStore(config, logger, {
    limits,
    mustExist: overrides.mustExist,
    open: overrides.openStore,
  })
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
  const from = config.email.from ?? `noreply@${firstDomain(config)}`
  const outbound = composeOutbound(config, {
    from,
    timeout: config.email.timeout,
    maxConnections: RELAY_CONNECTIONS,
    clock,
    logger,
  })
  const signingKey = overrides.signingKey ?? createSigningKey({ store, wrap, selector: config.email.dkimSelector })
  const sender = createEmailSender({
    store: store.emails,
    subscriptions: store.subscriptions,
    outbound: overrides.outbound?.(outbound) ?? outbound,
    sign: createSignEmail(signingKey, from, logger),
    wrap,
    clock,
    logger,
    metrics,
    settings: { from, siteUrl: () => site.url, freeHours: config.mailbox.addressLifetime / HOUR },
    random,
    timeout: config.email.timeout,
    retryFor: limits.emailRetryTime,
  })
  const threads = overrides.threads ?? startThreads(config, boundFrom)
  return {
    clock,
    random,
    limits,
    logger,
    metrics,
    key,
    /** The key for hashing clients in rate limits that nodes share. */
    limitKey: createHmac('sha256', key).update('limits').digest(),
    store,
    channel: store.channel,
    bus,
    clockWatch: createClockWatch({ store, clock, logger }),
    memory: new MemoryBudget(config.mailbox.memoryBytes),
    boundFrom,
    seal,
    opener: createOpener(boundFrom),
    ...threads,
    /** Closes the threads, unless they are shared. */
    async closeThreads() {
      if (!overrides.threads) await Promise.all([threads.reader.close(), threads.sealer.close()])
    },
    wrap,
    /** The mailbox address of the sender of our own emails. */
    ownSender: mailboxAddress(from),
    operatorAddress: operatorAddressOf(config),
    signingKey,
    outbound,
    emailSender: sender,
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

function startThreads(config: Config, boundFrom: number): Threads {
  return {
    sealer: createSealer({ boundFrom }),
    reader: createReader({
      memory: config.mailbox.parserMemoryBytes,
      dnsServers: config.server.dnsServers,
      authenticationTimeout: config.mailbox.authenticationTimeout,
    }),
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

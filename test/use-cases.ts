import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { messageIds } from '#core/message-id.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import type { Store } from '#core/ports.ts'
import { createMemoryBus } from '#events/bus.ts'
import { createAddressNames } from '#features/address-names.ts'
import { createAddresses } from '#features/addresses.ts'
import { createClaims } from '#features/claims.ts'
import { type ForwardingQueue, noForwardingQueue } from '#features/forwarding-queue.ts'
import type { ForwardingReports } from '#features/forwarding-reports.ts'
import { createMessages } from '#features/messages.ts'
import { ensureOperatorMailbox } from '#features/operator.ts'
import type { DomainRecipients } from '#features/own-domain-recipients.ts'
import { createReceive } from '#features/receive.ts'
import { createReadings } from '#features/readings.ts'
import { createRetention } from '#features/retention.ts'
import { createSenderChecks } from '#features/sender-checks.ts'
import { createSummaries } from '#features/summaries.ts'
import type { Webhooks } from '#features/webhooks.ts'
import { createReader } from '#mail/reader/reader.ts'
import { createOpener } from '#mail/sealing/open.ts'
import { createSeal, sealAll } from '#mail/sealing/seal.ts'
import { createSealer } from '#mail/sealing/sealer.ts'
import { defaults } from '#store/dialects/postgres/testing.ts'
import { openStore } from '#store/store.ts'
import { createLogger } from '#telemetry/logger.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { newDatabase } from './postgres.ts'

const seal = createSeal()

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const STORAGE = 10_000
/** The largest mail to a free address; twice as much to one of a subscription. */
export const SIZE = 100_000
/** Messages on a page, and how many a filter looks through. */
export const PAGE = 4
export const SCAN = 12

export const lifetimes = { day: DAY, tenMinutes: 10 * MINUTE, quarantine: 30 * DAY }

export type UseCases = Awaited<ReturnType<typeof openUseCases>>

export const ENGINES = ['SQLite', 'PostgreSQL'] as const

export interface HouseOptions {
  engine?: (typeof ENGINES)[number]
  /** Stands in front of the store. */
  wrap?: (store: Store) => Store
  /** Whose mail for domains is that somebody brought. */
  ownDomains?: Pick<DomainRecipients, 'recipient'>
  /** Who is told of mails. */
  webhooks?: (store: Store) => Pick<Webhooks, 'announce'>
  /** What mail goes on to, and who reads what comes back. */
  forwarding?: { forwardingQueue: ForwardingQueue; forwardingReports: ForwardingReports }
  /** Name servers, and milliseconds for the look-ups of one mail; nobody answers where nothing is said. */
  dns?: { servers: readonly string[]; timeout: number }
}

const NOBODYS: Required<HouseOptions>['ownDomains'] = { recipient: async () => undefined }

const noReports: ForwardingReports = { isReturnPath: () => false, jobOf: () => undefined, read: async () => {} }

/** The use cases over a real database and real threads, and a clock that the test turns. */
export async function openUseCases({
  engine = 'SQLite',
  wrap = (store) => store,
  ownDomains = NOBODYS,
  webhooks = () => ({ announce: async () => {} }),
  forwarding = { forwardingQueue: noForwardingQueue, forwardingReports: noReports },
  dns = { servers: ['127.0.0.1:9'], timeout: 100 },
}: HouseOptions = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-use-'))
  const time = { now: Date.UTC(2026, 0, 1) }
  const clock = (): number => time.now
  const logger = createLogger('error')
  const metrics = createMetrics()
  const serviceKey = randomBytes(32)
  const database = engine === 'PostgreSQL' ? await newDatabase(inject('postgres')) : undefined
  const opened = await openStore({ directory, logger, postgres: database && { ...defaults, url: database.url } })
  const store = wrap(opened)
  const bus = createMemoryBus(logger)
  const opener = createOpener(0)
  const sealer = createSealer()
  const reader = createReader({ dnsServers: dns.servers, authenticationTimeout: dns.timeout })
  const memory = new MemoryBudget(128 * 1024 * 1024)
  const domains = [
    { name: 'mayfly.test', tier: 'free' as const },
    { name: 'vip.mayfly.test', tier: 'premium' as const },
  ]
  const storageBytes = { day: STORAGE, 'ten-minutes': STORAGE, subscription: 5 * STORAGE, operator: 10 * STORAGE }
  const names = createAddressNames({ random: (bound) => randomInt(bound), serviceKey, domains })
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
    visitGranularity: MINUTE,
  })
  const summaries = createSummaries({
    messages: store.messages,
    reader,
    bus,
    sealAll,
    opener,
    checks: createSenderChecks({ reader, memory, metrics, maxWaiting: 100, breaker: { failures: 20, pause: MINUTE } }),
    memory,
    webhooks: webhooks(store),
    logger,
    metrics,
    backlogMax: 100,
  })
  const messages = createMessages({
    store,
    addresses,
    summaries,
    reader,
    opener,
    readings: createReadings({ memory, atOnce: 2, maxWaiting: 10 }),
    remoteContent: { signer: () => ({ prefix: '/proxy', key: serviceKey, expiresAt: time.now + DAY }) },
    bus,
    clock,
    pageSize: PAGE,
    scanMax: SCAN,
    minRetention: DAY,
  })
  const receive = createReceive({
    store,
    sealer,
    summaries,
    clock,
    newMessageId: messageIds(clock, randomBytes),
    serviceKey,
    domains,
    forwardDomain: 'mayfly.test',
    ...forwarding,
    ownDomains,
    storageBytes,
    maxMessageBytes: { day: SIZE, 'ten-minutes': SIZE, subscription: 2 * SIZE, operator: SIZE },
    retention: { day: DAY, 'ten-minutes': DAY, subscription: 30 * DAY, operator: 90 * DAY },
    group: { maxMessages: 100, maxBytes: 1_000_000 },
    memory,
  })
  const retention = createRetention({
    store,
    bus,
    clock,
    clockWatch: { isSteady: async () => true },
    logger,
    metrics,
    stepRows: 7,
    interval: HOUR,
    keepOrders: 30 * DAY,
    keepForwarded: 7 * DAY,
  })
  const operatorSecret = await ensureOperatorMailbox({ store: store.addresses, clock, seal, serviceKey })

  return {
    time,
    directory,
    serviceKey,
    store,
    opener,
    sealer,
    reader,
    memory,
    bus,
    names,
    claims,
    addresses,
    messages,
    summaries,
    receive,
    retention,
    operatorSecret,
    /** Resolves when the summaries of what was delivered are kept: until then their inboxes may be in use. */
    settled: () => summaries.settled(),
    /** Delivers as an SMTP session does: RCPT for each, then DATA. */
    async deliver(recipients: string[], raw = 'Subject: hello\r\n\r\nhello\r\n') {
      const accepted = []
      for (const recipient of recipients) accepted.push(await receive.accept(recipient))
      const envelope = { mailFrom: 'a@sender.example', helo: 'sender.example', clientAddress: '192.0.2.1', tls: false }
      await receive.deliver({ ...envelope, receivedAt: time.now }, accepted, Buffer.from(raw))
    },
    async close() {
      await retention.stop()
      await summaries.settled()
      await Promise.all([reader.close(), sealer.close()])
      await opened.close()
      await database?.drop()
      await rm(directory, { recursive: true })
    },
  }
}

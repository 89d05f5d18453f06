import { join } from 'node:path'
import { faultFields } from '#core/errors.ts'
import { DATABASE_FILE, type Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { SECOND } from '#core/time.ts'
import { createAccountStore } from './aggregates/account/accounts.ts'
import { createApiKeyStore } from './aggregates/account/api-keys.ts'
import { createKeptAddressStore } from './aggregates/account/kept-addresses.ts'
import { createOrderStore } from './aggregates/billing/orders.ts'
import { createSubscriptionStore } from './aggregates/billing/subscriptions.ts'
import { createPasswordStore } from './aggregates/compat/passwords.ts'
import { createEmailStore } from './aggregates/email/emails.ts'
import { createForwardingJobStore } from './aggregates/forwarding/forwarding-jobs.ts'
import { createForwardingStore } from './aggregates/forwarding/forwardings.ts'
import { createAddressStore } from './aggregates/mailbox/addresses.ts'
import { createDeliveryStore } from './aggregates/mailbox/deliveries.ts'
import { createMessageStore } from './aggregates/mailbox/messages.ts'
import { ensureMetadata, setMetadata } from './aggregates/metadata.ts'
import { createOwnDomainStore } from './aggregates/own-domains/own-domains.ts'
import { createPushStore } from './aggregates/push/pushes.ts'
import { createWebhookCallStore } from './aggregates/webhooks/webhook-calls.ts'
import { createWebhookStore } from './aggregates/webhooks/webhooks.ts'
import { createWrapStore } from './aggregates/wraps.ts'
import type { Database } from './database.ts'
import { openPostgres, type PostgresOptions } from './dialects/postgres/open.ts'
import { openSqlite } from './dialects/sqlite/open.ts'
import { checkHealth } from './health.ts'
import { readStats } from './stats.ts'

const MEGABYTE = 1024 * 1024

/** The embedded database. Sizes are in bytes, those of the write-ahead log in pages of 4 KiB, and times in milliseconds. */
const EMBEDDED = {
  readers: 2,
  writerCacheBytes: 64 * MEGABYTE,
  readerCacheBytes: 16 * MEGABYTE,
  walPages: 16_384,
  walPagesMax: 65_536,
  afterDeletion: SECOND,
  afterWrites: 30 * SECOND,
  busyTimeout: 5 * SECOND,
}

interface StoreOptions {
  logger: Pick<Logger, 'error' | 'warn' | 'info'>
  /** The data directory of the embedded database. It is created if it does not exist. */
  directory: string
  /** Set to use PostgreSQL instead of the embedded database. */
  postgres?: Omit<PostgresOptions, 'onTrouble' | 'onRisk'> | undefined
  /** Whether the database must have tables of Mayfly already. */
  mustExist?: boolean
  /** Bytes to keep free on the disk of the embedded database. Default: 64 MiB. */
  reserveBytes?: number
}

/**
 * Opens the store. Rejects with one clear error if it can't be opened or if a newer version changed it incompatibly.
 */
export async function openStore({
  directory,
  logger,
  postgres,
  mustExist = false,
  reserveBytes = 64 * MEGABYTE,
}: StoreOptions): Promise<Store> {
  const onTrouble = (message: string, error: unknown): void => logger.error(faultFields(error), message)
  const onRisk = (risk: string): void => logger.warn({}, `PostgreSQL: ${risk}`)
  if (postgres) return createStore(await openPostgres({ ...postgres, mustExist, onTrouble, onRisk }))
  const database = await openSqlite({
    ...EMBEDDED,
    file: join(directory, DATABASE_FILE),
    mustExist,
    reserveBytes,
    onTrouble,
    onRecovery: (message) => logger.info({}, message),
  })
  return createStore(database)
}

/** Creates the store on any dialect. */
export function createStore(database: Database): Store {
  return {
    addresses: createAddressStore(database),
    messages: createMessageStore(database),
    deliveries: createDeliveryStore(database),
    orders: createOrderStore(database),
    subscriptions: createSubscriptionStore(database),
    accounts: createAccountStore(database),
    keptAddresses: createKeptAddressStore(database),
    ownDomains: createOwnDomainStore(database),
    emails: createEmailStore(database),
    passwords: createPasswordStore(database),
    apiKeys: createApiKeyStore(database),
    webhooks: createWebhookStore(database),
    webhookCalls: createWebhookCallStore(database),
    forwardings: createForwardingStore(database),
    forwardingJobs: createForwardingJobStore(database),
    pushes: createPushStore(database),
    wraps: createWrapStore(database),
    stats: (now) => readStats(database, now),
    check: () => checkHealth(database),
    maintain: (now) => database.maintain(now),
    ensureMetadata: (name, value) => ensureMetadata(database, name, value),
    setMetadata: (name, value) => setMetadata(database, name, value),
    isLeader: () => database.isLeader(),
    channel: database.channel,
    close: () => database.close(),
  }
}

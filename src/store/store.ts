import { join } from 'node:path'
import { faultFields } from '#core/errors.ts'
import { DATABASE_FILE, type Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
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
import { createWebhookDeliveryStore } from './aggregates/webhooks/webhook-deliveries.ts'
import { createWebhookStore } from './aggregates/webhooks/webhooks.ts'
import { createWrapStore } from './aggregates/wraps.ts'
import type { Database } from './database.ts'
import { openPostgres, type PostgresOptions } from './dialects/postgres/open.ts'
import { openSqlite } from './dialects/sqlite/open.ts'
import { checkHealth } from './health.ts'
import { readStats } from './stats.ts'

interface StoreOptions {
  logger: Pick<Logger, 'error' | 'warn' | 'info'>
  /** The data directory of the embedded database. It is created if it does not exist. */
  directory: string
  /** Set to use PostgreSQL instead of the embedded database. */
  postgres?: Omit<PostgresOptions, 'onTrouble' | 'onRisk'> | undefined
  /** Number of reader threads. Default 2. */
  readers?: number
  /** Page cache of the writer and of each reader, in bytes. Defaults: 64 MiB and 16 MiB. */
  writerCacheBytes?: number
  readerCacheBytes?: number
  /** WAL size that starts a checkpoint, in pages of 4 KiB. Default 16384 (64 MiB). */
  walPages?: number
  /** WAL size at which writes wait for the checkpoint, in pages. Default 65536 (256 MiB). */
  walPagesMax?: number
  /** How long deleted bytes may stay in the WAL, in milliseconds. Default 1000. */
  walAfterDeletion?: number
  /** Idle time after which the WAL is emptied, in milliseconds. Default 30000. */
  walAfterWrites?: number
  /** Bytes to keep free on the disk of the embedded database. Default 64 MiB. */
  reserveBytes?: number
  /** How long to wait for a lock of another process, in milliseconds. Default 5000. */
  busyTimeout?: number
}

/**
 * Opens the store. Rejects with one clear error if it can't be opened or if a newer version changed it incompatibly.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const onTrouble = (message: string, error: unknown): void => options.logger.error(faultFields(error), message)
  const onRisk = (risk: string): void => options.logger.warn({}, `PostgreSQL: ${risk}`)
  if (options.postgres) return createStore(await openPostgres({ ...options.postgres, onTrouble, onRisk }))
  const database = await openSqlite({
    file: join(options.directory, DATABASE_FILE),
    readers: options.readers ?? 2,
    writerCacheBytes: options.writerCacheBytes ?? 64 * 1024 * 1024,
    readerCacheBytes: options.readerCacheBytes ?? 16 * 1024 * 1024,
    walPages: options.walPages ?? 16_384,
    walPagesMax: options.walPagesMax ?? 65_536,
    afterDeletion: options.walAfterDeletion ?? 1000,
    afterWrites: options.walAfterWrites ?? 30_000,
    busyTimeout: options.busyTimeout ?? 5000,
    reserveBytes: options.reserveBytes ?? 64 * 1024 * 1024,
    onTrouble,
    onRecovery: (message) => options.logger.info({}, message),
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
    webhookDeliveries: createWebhookDeliveryStore(database),
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

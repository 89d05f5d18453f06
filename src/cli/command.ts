import type { SubscriptionId } from '#core/ids.ts'
import type { BackupContent, BackupDone } from '#core/operating/backup.ts'
import type { StoreStats } from '#core/store.ts'
import type { ApiKeys } from '#features/account/index.ts'
import type { Grants, Reconciliation, Subscriptions } from '#features/billing/index.ts'
import type { OutboxReader } from '#features/email/index.ts'
import type { Addresses, Messages, Withdrawals } from '#features/mailbox/index.ts'
import type { Doctor, Presence, Support } from '#features/operating/index.ts'
import type { Webhooks } from '#features/webhooks/index.ts'

/** Wrong arguments of a command. The message is one line; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The services that commands use. */
export interface CommandServices {
  addresses: Addresses
  withdrawals: Withdrawals
  messages: Messages
  support: Pick<Support, 'hasPriority'>
  operatorSecret: string
  subscriptions: Subscriptions
  grants: Grants
  /** Throws `not_found`, and everything that `DeleteAccount` throws. */
  deleteAccountAsOperator(id: SubscriptionId): Promise<void>
  reconciliation: Pick<Reconciliation, 'run'>
  apiKeys: ApiKeys
  webhooks: Webhooks
  presence: Presence
  doctor: Doctor
  outbox: OutboxReader
  stats(): Promise<StoreStats>
  close(): Promise<void>
}

export interface CommandContext {
  args: string[]
  print(line: string): void
  printError(line: string): void
  version: string
  /** Opens the services. Only the commands that need them call it. Rejects if there is no database. */
  open(): Promise<CommandServices>
  /** Checks the settings without opening the services. Returns warnings, and rejects for what would stop the start. */
  checkSettings(): Promise<string[]>
  /** Copies the database into a new file. Does not open the services, which would migrate its tables. */
  backup(file: string): Promise<BackupDone>
  /** Copies a backup to the path of the database. */
  restore(file: string): Promise<BackupContent>
  /** Returns the code and link in a raw message and the reasons, as lines of text. */
  explain(raw: Uint8Array): Promise<string[]>
  smtp: { host: string; port: number }
  /** The URL of the service of these settings. */
  siteUrl: string
  /** Whether that is https and not on localhost, so that strangers use the service. */
  isPublic: boolean
  /** The path of the data directory, unless the database is in PostgreSQL. */
  dataDir: string | undefined
}

export interface Command {
  /** The command line without `mayfly`. */
  usage: string
  about: string
  run(context: CommandContext): Promise<void>
}

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g

/** Replaces the control characters of untrusted text, which a terminal would interpret. */
export const replaceControls = (text: string): string => text.replace(CONTROLS, '\uFFFD')

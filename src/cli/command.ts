import type { BackupContent, BackupDone } from '#core/operating/backup.ts'
import type { StoreStats } from '#core/store.ts'
import type { Grants, Reconciliation, Subscriptions } from '#features/billing/index.ts'
import type { OutboxReader } from '#features/email/index.ts'
import type { Addresses, Messages } from '#features/mailbox/index.ts'
import type { Doctor, Presence, Support } from '#features/operating/index.ts'

/** A mistake in how a command was called: one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What commands stand on. `open` starts the services once, and only for the commands that need them. */
export interface CommandServices {
  addresses: Addresses
  messages: Messages
  support: Pick<Support, 'hasPriority'>
  operatorSecret: string
  subscriptions: Subscriptions
  grants: Grants
  reconciliation: Pick<Reconciliation, 'run'>
  presence: Presence
  doctor: Doctor
  outbox: OutboxReader
  stats(): Promise<StoreStats>
  close(): Promise<void>
}

export interface CommandContext {
  args: string[]
  print(line: string): void
  open(): Promise<CommandServices>
  /** Copies the database into a new file; without opening the services, which would bring its tables up to date. */
  backup(file: string): Promise<BackupDone>
  /** Puts a backup where the database is to be. */
  restore(file: string): Promise<BackupContent>
  smtp: { host: string; port: number }
}

export interface Command {
  usage: string
  about: string
  run(context: CommandContext): Promise<void>
}

import type { Addresses } from '#features/addresses.ts'
import type { Presence } from '#features/dns-records.ts'
import type { Doctor } from '#features/doctor.ts'
import type { Grants } from '#features/grants.ts'
import type { Messages } from '#features/messages.ts'
import type { OutboxReader } from '#features/outbox.ts'
import type { Reconciliation } from '#features/reconciliation.ts'
import type { Subscriptions } from '#features/subscriptions.ts'
import type { Support } from '#features/support.ts'
import type { BackupContent, BackupDone } from '#core/backup.ts'
import type { StoreStats } from '#core/ports.ts'

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

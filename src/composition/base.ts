import type { EventBus } from '#core/events.ts'
import type { Lifetimes } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { AddressNames, Addresses, Claims } from '#features/mailbox/index.ts'
import type { Opener } from '#mail/sealing/open.ts'
import type { Seal } from '#mail/sealing/seal.ts'

/** What Premium stands on. */
export interface PremiumBase {
  clock: Clock
  logger: Logger
  metrics: Metrics
  key: Uint8Array
  store: Store
  bus: EventBus
  lifetimes: Lifetimes
  names: AddressNames
  claims: Claims
  seal: Seal
  opener: Opener
  boundFrom: number
  /** Of mail of any kind of address, in milliseconds. */
  longestRetention: number
  addresses: Addresses
  /** How much a visit must gain before it is written down, in milliseconds. */
  visitGranularity: number
}

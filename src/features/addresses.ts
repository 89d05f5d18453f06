import type { AddressKeys } from '#mail/sealing/keys.ts'
import type { ChosenLifetime, Lifetime } from '#core/lifetime.ts'
import type { AddressRow } from '#core/ports.ts'

/** An address opened with its secret; lives as long as one request or stream and is never stored. */
export interface OpenAddress {
  address: string
  keys: AddressKeys
  row: AddressRow
}

export interface AddressView {
  address: string
  /** Milliseconds since the epoch, like `createdAt`. */
  expiresAt: number
  lifetime: Lifetime
  createdAt: number
  storage: { usedBytes: number; limitBytes: number }
}

export interface AddressRequest {
  login?: string | undefined
  domain?: string | undefined
  lifetime?: ChosenLifetime | undefined
  /** The secret of an ended address: its holder may take the same name again during the quarantine. */
  previousSecret?: string | undefined
}

export interface Addresses {
  /** Throws `address_taken`, `login_invalid`, `login_reserved`, `domain_unknown`, `premium_required`. `secret` is handed out here and never again. */
  create(request: AddressRequest): Promise<{ secret: string; open: OpenAddress }>
  /** The live address of a secret, else undefined. Counts as a visit: starts a sliding lifetime again. Never throws for a malformed secret. */
  open(secret: string): Promise<OpenAddress | undefined>
  view(open: OpenAddress): AddressView
  /** Starts the lifetime again ("10 more minutes"). */
  extend(open: OpenAddress): Promise<AddressView>
  /** Ends the address: it, its messages and its forwarding are gone when the promise resolves. */
  end(open: OpenAddress): Promise<void>
}

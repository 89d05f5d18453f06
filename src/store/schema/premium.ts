import type { OrderState } from '#core/billing/order.ts'
import type { Plan } from '#core/billing/plan.ts'
import type { ProviderName } from '#core/billing/provider.ts'
import type { PaymentState } from '#core/billing/subscription.ts'
import type { OwnDomainState } from '#core/own-domains/own-domain.ts'
import type { Bit } from './bit.ts'

/** The tables of Premium, as `migrations/` creates them. */
export interface PremiumSchema {
  subscriptions: SubscriptionsTable
  payment_sources: PaymentSourcesTable
  payments: PaymentsTable
  payment_events: PaymentEventsTable
  orders: OrdersTable
  emails: EmailsTable
  sign_in_links: SignInLinksTable
  account_sessions: AccountSessionsTable
  kept_addresses: KeptAddressesTable
  own_domains: OwnDomainsTable
  api_keys: ApiKeysTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
}

interface SubscriptionsTable {
  id: string
  email_key: string
  sealed_email: Uint8Array
  language: string
  created_at: number
  plan: Plan | null
  paid_until: number
  renews: Bit
  failing_since: number | null
  notice_at: number | null
  lapsed: Bit
  revision: number
  confirmed: Bit
  /** Identifies the transaction that wrote the row last. Its other statements depend on it (subscription-row.ts). */
  changed_by: string
}

interface PaymentSourcesTable {
  provider: ProviderName
  ref: string
  subscription_id: string
  order_id: string
  customer: string | null
  plan: Plan
  renews: Bit
  failing_since: number | null
}

/** Stays when its subscription is removed, without a reference to it. Either `pays_span` or `pays_until` is null. */
interface PaymentsTable {
  provider: ProviderName
  id: string
  ref: string
  subscription_id: string | null
  plan: Plan
  amount: number
  currency: string
  state: PaymentState
  paid_at: number
  pays_span: number | null
  pays_until: number | null
}

/** Settled events, removed after 90 days. A later repetition reads the provider again and changes nothing. */
interface PaymentEventsTable {
  provider: ProviderName
  id: string
  received_at: number
}

interface OrdersTable {
  id: string
  email_key: string
  sealed_email: Uint8Array
  language: string
  provider: ProviderName
  plan: Plan
  years: number
  amount: number
  currency: string
  state: OrderState
  provider_ref: string | null
  browser_hash: string
  session_id: string | null
  created_at: number
}

interface EmailsTable {
  id: string
  sealed: Uint8Array
  created_at: number
  /** When it is due; while it is leased, when the lease ends. */
  due_at: number
  attempts: number
}

/** Used links stay until they expire, because they count against the limit. */
interface SignInLinksTable {
  token_hash: string
  subscription_id: string
  browser_hash: string | null
  created_at: number
  expires_at: number
  used: Bit
  /** Attempts to enter the code. */
  tries: number
}

interface AccountSessionsTable {
  id: string
  token_hash: string
  subscription_id: string
  sealed_label: Uint8Array
  created_at: number
  seen_at: number
  expires_at: number
}

interface KeptAddressesTable {
  address_id: string
  subscription_id: string
  name_key: string
  sealed_name: Uint8Array
  sealed_label: Uint8Array | null
  sealed_secret: Uint8Array | null
  created_at: number
}

interface OwnDomainsTable {
  subscription_id: string
  name: string
  state: OwnDomainState
  created_at: number
  checked_at: number | null
  failing_since: number | null
  txt_found: Bit
  mx_found: Bit
  catch_all: string | null
}

interface ApiKeysTable {
  id: string
  token_hash: string
  subscription_id: string
  sealed_label: Uint8Array
  created_at: number
  used_at: number | null
}

interface WebhooksTable {
  id: string
  subscription_id: string
  sealed_url: Uint8Array
  sealed_secret: Uint8Array
  host_key: string
  created_at: number
  delivered_at: number | null
  failing_since: number | null
  is_off: Bit
}

interface WebhookDeliveriesTable {
  id: string
  webhook_id: string
  /** A copy of the webhook's `host_key`. */
  host_key: string
  /** The message that it announces. Null for deliveries of earlier versions. */
  address_id: string | null
  message_id: string | null
  sealed: Uint8Array
  created_at: number
  /** When it is due; while it is leased, when the lease ends. */
  due_at: number
  attempts: number
}

/**
 * The columns with values that are wrapped with the service key (`mail/sealing/wrap.ts`). Each value is bound to its
 * row.
 */
export type WrappedColumn =
  | 'subscriptions.sealed_email'
  | 'orders.sealed_email'
  | 'emails.sealed'
  | 'account_sessions.sealed_label'
  | 'kept_addresses.sealed_name'
  | 'kept_addresses.sealed_label'
  | 'kept_addresses.sealed_secret'
  | 'api_keys.sealed_label'
  | 'webhooks.sealed_url'
  | 'webhooks.sealed_secret'
  | 'webhook_deliveries.sealed'
  | 'forwardings.sealed_destination'
  | 'push_subscriptions.sealed'

export interface StoredWrap {
  /** The primary key. */
  key: string
  /** The name of the row that the value is bound to. */
  row: string
  sealed: Uint8Array
}

export interface WrapStore {
  /** Values of a column that begin with the byte `version` and have a key greater than `after`, in the order of their keys. */
  list(column: WrappedColumn, version: number, limit: number, after?: string): Promise<StoredWrap[]>
  /** Replaces a value. Returns false if it was changed or removed in the meantime. */
  replace(column: WrappedColumn, wrapped: StoredWrap, sealed: Uint8Array): Promise<boolean>
}

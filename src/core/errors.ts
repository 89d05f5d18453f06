/**
 * All errors that Mayfly reports to clients. `status` is the HTTP status, `smtp` the reply with its enhanced code (RFC
 * 3463), `title` the English problem title (RFC 9457). The page shows the text `problem.<code>` of its language.
 */
export const catalog = {
  address_taken: { status: 409, title: 'This address is already taken' },
  login_invalid: { status: 422, title: 'This login is not allowed' },
  login_reserved: { status: 422, title: 'This login is reserved' },
  domain_unknown: { status: 422, title: 'This domain is not offered here' },
  premium_required: { status: 403, title: 'This requires Premium' },
  name_invalid: { status: 422, title: 'The name is missing or too long' },
  reason_invalid: { status: 422, title: 'This reason is not offered' },
  email_invalid: { status: 422, title: 'This is not an email address' },
  email_ours: { status: 422, title: 'This is an address of this service' },
  message_invalid: { status: 422, title: 'The message is empty' },
  message_too_long: { status: 422, title: 'The message is too long' },
  plan_invalid: { status: 422, title: 'This plan is not offered' },
  order_not_found: { status: 404, title: 'There is no such order' },
  payment_unavailable: { status: 503, title: 'The payment service cannot be reached' },
  already_renews: { status: 409, title: 'The subscription already renews' },
  payment_pending: { status: 409, title: 'A payment is still being confirmed' },
  signature_invalid: { status: 400, title: 'The signature is not valid' },
  not_signed_in: { status: 401, title: 'Not signed in' },
  sign_in_link_invalid: { status: 410, title: 'The link was used or is too old' },
  sign_in_unconfirmed: { status: 409, title: 'The link was requested in another browser' },
  sign_in_code_invalid: { status: 422, title: 'The code is wrong, was used, or is too old' },
  sign_in_by_email: { status: 409, title: 'This order cannot sign in this browser; request a link by email' },
  email_unconfirmed: { status: 403, title: 'The email address is not confirmed yet' },
  session_not_found: { status: 404, title: 'There is no such session' },
  portal_unavailable: { status: 404, title: 'There is nothing to manage at a payment service' },
  addresses_full: { status: 409, title: 'There is no room for another address' },
  label_invalid: { status: 422, title: 'The name is missing or too long' },
  key_invalid: { status: 401, title: 'The API key is not valid' },
  keys_full: { status: 409, title: 'There is no room for another API key' },
  key_not_found: { status: 404, title: 'There is no such API key' },
  webhook_invalid: { status: 422, title: 'This URL cannot be a webhook' },
  webhooks_full: { status: 409, title: 'There is no room for another webhook' },
  webhook_not_found: { status: 404, title: 'There is no such webhook' },
  domain_invalid: { status: 422, title: 'This domain cannot be added' },
  domain_of_account: { status: 422, title: 'Sign-in links go to this domain' },
  domains_full: { status: 409, title: 'There is no room for another domain' },
  domain_not_found: { status: 404, title: 'There is no such domain' },
  domain_owned: { status: 409, title: 'Another subscriber has this domain' },
  dns_unavailable: { status: 503, title: 'The DNS servers of the domain do not answer' },
  destination_invalid: { status: 422, title: 'Mail cannot be forwarded to this address' },
  forwarding_exists: { status: 409, title: 'The address already forwards to this destination' },
  forwardings_full: { status: 409, title: 'There is no room for another destination' },
  forwarding_unavailable: { status: 409, title: 'This address cannot forward' },
  forwarding_not_found: { status: 404, title: 'There is no such forwarding' },
  push_invalid: { status: 422, title: 'This push subscription cannot be used' },
  address_invalid: { status: 422, title: 'The address is not valid' },
  summary_invalid: { status: 422, title: 'The summary is not valid' },
  unauthorized: { status: 401, title: 'No valid secret' },
  forbidden_origin: { status: 403, title: 'The request does not come from this site' },
  message_not_found: { status: 404, title: 'There is no such message' },
  message_damaged: { status: 422, title: 'The message is damaged and cannot be opened' },
  attachment_not_found: { status: 404, title: 'There is no such attachment' },
  unsubscribe_unavailable: { status: 409, title: 'This message offers no unsubscribing that can be trusted' },
  unsubscribe_failed: { status: 502, title: 'The sender did not accept the request' },
  not_found: { status: 404, title: 'Not found' },
  host_unknown: { status: 421, title: 'This service does not serve that host' },
  invalid_request: { status: 400, title: 'The request is not valid' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  payload_too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'This media type is not supported' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error', smtp: '451 4.3.0 Local error, please try again' },
  unavailable: { status: 503, title: 'Not available at the moment' },
  remote_content_failed: { status: 502, title: 'The remote content could not be fetched' },
  recipient_unknown: { status: 404, title: 'No such mailbox', smtp: '550 5.1.1 No such mailbox here' },
  recipient_unread: { status: 403, title: 'This mailbox is not read', smtp: '550 5.2.1 This mailbox is not read' },
  relay_denied: { status: 403, title: 'Relaying denied', smtp: '550 5.7.1 Relaying denied' },
  message_too_big: { status: 413, title: 'The message is too big', smtp: '552 5.3.4 Message too big' },
  mailbox_full: { status: 507, title: 'The mailbox is full', smtp: '452 4.2.2 Mailbox full' },
  disk_full: { status: 507, title: 'Out of storage', smtp: '452 4.3.1 Insufficient system storage' },
  store_unavailable: { status: 503, title: 'The store cannot write', smtp: '451 4.3.0 Cannot store the message now' },
} as const satisfies Record<string, { status: number; title: string; smtp?: string }>

export type ErrorCode = keyof typeof catalog

/** An error that a client may see. `detail` is one English sentence without personal data. */
export class MayflyError extends Error {
  override readonly name = 'MayflyError'
  readonly code: ErrorCode
  readonly detail: string | undefined

  constructor(code: ErrorCode, detail?: string, options?: ErrorOptions) {
    super(detail ?? catalog[code].title, options)
    this.code = code
    this.detail = detail
  }
}

/** A limit of the whole service is reached. It allows the next request at `until`, in milliseconds since the epoch. */
export class LimitReached extends MayflyError {
  readonly until: number

  constructor(detail: string, until: number) {
    super('too_many_requests', detail)
    this.until = until
  }
}

/** An SMTP reply that the owner of an address chose. An empty reply closes the connection. */
export class SmtpRefusal extends MayflyError {
  readonly reply: string

  constructor(reply: string) {
    super('unavailable')
    this.reply = reply
  }
}

/** Whether this is an error with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly [ErrorCode, ...ErrorCode[]]): error is MayflyError =>
  error instanceof MayflyError && codes.includes(error.code)

/** For `catch`: returns undefined for an error with one of these codes, and throws every other one again. */
export const undefinedFor =
  (...codes: readonly [ErrorCode, ...ErrorCode[]]) =>
  (error: unknown): undefined => {
    if (!hasCode(error, ...codes)) throw error
  }

/** Whether the store could not write: a fault of the disk or database, not of the request. */
export const isStoreFault = (error: unknown): error is MayflyError => hasCode(error, 'disk_full', 'store_unavailable')

/** For `catch` of a write that reading does not depend on. Throws every other error again. */
export const ignoreStoreFault = (error: unknown): void => {
  if (!isStoreFault(error)) throw error
}

/** The fields with which an error is logged. A stack says nothing about a fault of the store, so it is left out. */
export function faultFields(error: unknown): object {
  if (!isStoreFault(error)) return { err: error }
  const { code, detail, cause } = error
  const reason = detail ?? (cause instanceof Error ? cause.message : undefined)
  return { error: reason === undefined ? code : `${code}: ${reason}` }
}

/**
 * Returns the SMTP reply for any error: that of the catalog entry, otherwise that of `internal` (451, so the sender
 * retries).
 */
export function smtpReply(error: unknown): string {
  if (error instanceof SmtpRefusal) return error.reply
  const entry = catalog[error instanceof MayflyError ? error.code : 'internal']
  return 'smtp' in entry ? entry.smtp : catalog.internal.smtp
}

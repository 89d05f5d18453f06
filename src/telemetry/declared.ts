import { ORDER_STATES } from '#core/billing/order.ts'
import { DIFFERENCES } from '#core/billing/payment.ts'
import { PLANS } from '#core/billing/plan.ts'
import { PROVIDER_NAMES } from '#core/billing/provider.ts'
import type { EmailKind } from '#core/email/email.ts'
import { CONSENT_ACTS, type ForwardingEnd, type ForwardingOutcome } from '#core/forwarding/forwarding.ts'
import { SUPPORT_KINDS } from '#core/operating/support.ts'

interface Declaration {
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /**
   * The labels, with all their values. A counter starts with 0 for each combination. Otherwise Prometheus would not see the
   * first event as growth. An empty list: the values are not known in advance, so a series appears with its first event.
   */
  labels?: Record<string, readonly string[]>
  buckets?: number[]
  /** Whether the gauge is left out until it is set. Otherwise it is 0. */
  optional?: boolean
}

const EMAIL_KINDS = Object.keys({
  'sign-in': true,
  receipt: true,
  renewal: true,
  'renewal-failed': true,
  notice: true,
  ended: true,
  'forwarding-confirm': true,
  'forwarding-on': true,
} satisfies Record<EmailKind, true>)

/** Outcomes of calls to webhooks and push services. */
const CALL_OUTCOMES = ['delivered', 'failed', 'given-up', 'gone', 'dropped']

const FORWARDING_OUTCOMES = Object.keys({
  sent: true,
  refused: true,
  'given-up': true,
  dmarc: true,
  loop: true,
  'too-big': true,
  'too-many': true,
  'no-mail': true,
  off: true,
} satisfies Record<ForwardingOutcome, true>)

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BYTES = [1, 4, 16, 64, 256, 1024, 4096, 16_384].map((kilobytes) => kilobytes * 1024)

/**
 * All metrics. Prometheus sees them as `mayfly_<name>`, and counters as `mayfly_<name>_total`. Labels have few values
 * and are never personal.
 */
export const declared: Record<string, Declaration> = {
  smtp_connections: {
    type: 'counter',
    help: 'SMTP connections by outcome',
    labels: {
      outcome: [
        'accepted',
        'gone',
        'total',
        'address',
        'network',
        'share',
        'rate',
        'proxy_malformed',
        'proxy_timeout',
        'proxy_partial',
      ],
    },
  },
  smtp_messages: {
    type: 'counter',
    help: 'Messages by the reply to the end of DATA',
    labels: { reply: ['250', '421', '451', '452', '521', '550', '552', '554'] },
  },
  smtp_refused_recipients: {
    type: 'counter',
    help: 'Rejected RCPT commands',
    labels: { reply: ['421', '451', '452', '501', '550', '552', '553', '555'] },
  },
  smtp_timeouts: {
    type: 'counter',
    help: 'SMTP sessions that timed out',
    labels: { of: ['handshake', 'command', 'stalled', 'data_idle', 'data_long', 'data_slow'] },
  },
  smtp_tls_handshakes: {
    type: 'counter',
    help: 'STARTTLS handshakes',
    labels: { version: ['failed', 'TLSv1.2', 'TLSv1.3'] },
  },
  smtp_early_talkers: { type: 'counter', help: 'Clients that spoke before the greeting' },
  smtp_certificate_loads: {
    type: 'counter',
    help: 'Loads of the certificate files',
    labels: { outcome: ['loaded', 'failed'] },
  },
  smtp_certificate_expiry_timestamp_seconds: {
    type: 'gauge',
    help: 'When the STARTTLS certificate in use expires, in seconds since 1970; absent without certificate files',
    optional: true,
  },
  smtp_connections_open: { type: 'gauge', help: 'Open SMTP connections' },
  smtp_memory_waits: { type: 'counter', help: 'How often a client had to wait for memory' },
  smtp_buffered_bytes: { type: 'gauge', help: 'Bytes of messages in memory that are not acknowledged yet' },
  smtp_delivery_seconds: { type: 'histogram', help: 'Time from the end of DATA to its reply', buckets: SECONDS },
  smtp_message_bytes: { type: 'histogram', help: 'Size of acknowledged messages', buckets: BYTES },
  summaries_deferred: { type: 'counter', help: 'Summaries that are made when the message is first read' },
  deliveries_dropped: {
    type: 'counter',
    help: 'Failed deliveries that were not recorded: too many, or the store failed',
  },
  sender_checks_skipped: {
    type: 'counter',
    help: 'Messages whose sender was not checked: too many waited, memory stayed short, or no name server responded',
  },
  expired_addresses: { type: 'counter', help: 'Expired addresses' },
  periodic_work_turn: { type: 'gauge', help: '1 if this node is the leader, which does the periodic work' },
  expired_messages: { type: 'counter', help: 'Expired messages' },
  http_requests: {
    type: 'counter',
    help: 'HTTP requests by route and status',
    labels: { method: [], route: [], status: [] },
  },
  http_request_seconds: {
    type: 'histogram',
    help: 'Time to the end of the response, except of requests that wait for a message',
    labels: { route: [] },
    buckets: SECONDS,
  },
  support_forms: {
    type: 'counter',
    help: 'Contact forms: sent, or caught by the field that people do not see',
    labels: { kind: SUPPORT_KINDS, outcome: ['sent', 'trapped'] },
  },
  orders: {
    type: 'counter',
    help: 'Orders by their new state',
    labels: { plan: PLANS, provider: PROVIDER_NAMES, state: ORDER_STATES },
  },
  grants: {
    type: 'counter',
    help: 'Payments for which Premium was granted',
    labels: { plan: PLANS, provider: PROVIDER_NAMES },
  },
  payment_events: {
    type: 'counter',
    help: 'Payment events of providers by result',
    labels: {
      provider: PROVIDER_NAMES,
      result: ['settled', 'same', 'duplicate', 'ignored', 'unknown', 'mismatch', 'rejected', 'forged', 'failed'],
    },
  },
  reconciliations: {
    type: 'counter',
    help: 'Reconciliations with providers',
    labels: { provider: PROVIDER_NAMES, outcome: ['done', 'failed'] },
  },
  reconciliation_differences: {
    type: 'counter',
    help: 'Differences from a provider that a reconciliation found',
    labels: { provider: PROVIDER_NAMES, kind: DIFFERENCES },
  },
  forwarding_asks: {
    type: 'counter',
    help: 'Requested destinations: an email asked for consent, or none was due',
    labels: { outcome: ['asked', 'silent'] },
  },
  forwarding_answers: {
    type: 'counter',
    help: 'Decisions of destinations',
    labels: { act: CONSENT_ACTS },
  },
  letters_sent: { type: 'counter', help: 'Emails that were sent', labels: { kind: EMAIL_KINDS } },
  letters_failed: { type: 'counter', help: 'Emails that were given up', labels: { kind: EMAIL_KINDS } },
  letters_waiting: { type: 'gauge', help: 'Emails that wait to be sent' },
  subscription_endings: {
    type: 'counter',
    help: 'Subscriptions that got a notice or lapsed',
    labels: { step: ['notice', 'lapse'] },
  },
  domain_checks: {
    type: 'counter',
    help: 'Checks of own domains by outcome',
    labels: { outcome: ['found', 'missing', 'unanswered'] },
  },
  webhook_calls: {
    type: 'counter',
    help: 'Calls to webhooks by outcome; a failed call is repeated',
    labels: { outcome: CALL_OUTCOMES },
  },
  webhook_call_seconds: { type: 'histogram', help: 'Duration of a call to a webhook', buckets: SECONDS },
  webhook_calls_waiting: { type: 'gauge', help: 'Waiting calls to webhooks' },
  pushes: {
    type: 'counter',
    help: 'Pushes to browsers by outcome; a failed push is repeated',
    labels: { outcome: CALL_OUTCOMES },
  },
  push_seconds: { type: 'histogram', help: 'Duration of a call to a push service', buckets: SECONDS },
  pushes_waiting: { type: 'gauge', help: 'Waiting pushes to browsers' },
  forwards: {
    type: 'counter',
    help: 'Forwarding jobs by outcome; a postponed job is repeated',
    labels: { outcome: ['postponed', ...FORWARDING_OUTCOMES] },
  },
  forward_seconds: { type: 'histogram', help: 'Duration of forwarding a message', buckets: SECONDS },
  forwards_waiting: { type: 'gauge', help: 'Waiting forwarding jobs' },
  forwarding_reports: {
    type: 'counter',
    help: 'Bounces and complaints about forwarded messages',
    labels: { kind: ['bounce', 'complaint'] },
  },
  forwardings_ended: {
    type: 'counter',
    help: 'Forwardings that ended after bounces or complaints',
    labels: { end: ['bounced', 'complained'] satisfies ForwardingEnd[] },
  },
  build_info: { type: 'gauge', help: 'The program that runs; always 1', labels: { version: [], build: [], node: [] } },
  disk_free_bytes: {
    type: 'gauge',
    help: 'Free bytes on the disk of the embedded database; absent with PostgreSQL',
    optional: true,
  },
  operator_mailbox_bytes: { type: 'gauge', help: 'Bytes of messages in the operator mailbox', labels: { share: [] } },
  http_connections_open: { type: 'gauge', help: 'Open HTTP connections' },
  http_connections_refused: {
    type: 'counter',
    help: 'HTTP connections rejected by a limit',
    labels: { cap: ['total', 'client'] },
  },
  http_streams_open: { type: 'gauge', help: 'Open event streams and pending responses' },
}

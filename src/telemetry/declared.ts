interface Declaration {
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  labels?: string[]
  buckets?: number[]
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BYTES = [1, 4, 16, 64, 256, 1024, 4096, 16_384].map((kilobytes) => kilobytes * 1024)

/**
 * All metrics of Mayfly. Prometheus sees them as `mayfly_<name>`, and counters as `mayfly_<name>_total`. Labels have
 * few values and are never personal.
 */
export const declared: Record<string, Declaration> = {
  smtp_connections: { type: 'counter', help: 'SMTP connections by outcome', labels: ['outcome'] },
  smtp_messages: { type: 'counter', help: 'Mails by the reply to the end of DATA', labels: ['reply'] },
  smtp_refused_recipients: { type: 'counter', help: 'RCPT commands that were refused', labels: ['reply'] },
  smtp_timeouts: { type: 'counter', help: 'SMTP sessions that ended by a time-out', labels: ['of'] },
  smtp_tls_handshakes: { type: 'counter', help: 'STARTTLS handshakes', labels: ['version'] },
  smtp_early_talkers: { type: 'counter', help: 'Clients that spoke before the greeting' },
  smtp_certificate_loads: { type: 'counter', help: 'Certificate files taken up', labels: ['outcome'] },
  smtp_connections_open: { type: 'gauge', help: 'Open SMTP connections' },
  smtp_memory_waits: { type: 'counter', help: 'Times that a client was kept waiting for memory' },
  smtp_buffered_bytes: { type: 'gauge', help: 'Mail in memory that is not acknowledged yet' },
  smtp_delivery_seconds: { type: 'histogram', help: 'From the end of DATA to its reply', buckets: SECONDS },
  smtp_message_bytes: { type: 'histogram', help: 'Size of acknowledged mails', buckets: BYTES },
  summaries_deferred: { type: 'counter', help: 'Summaries left to the first reading' },
  sender_checks_skipped: {
    type: 'counter',
    help: 'Mails whose sender was not checked: too many waited, or no name server answered',
  },
  expired_addresses: { type: 'counter', help: 'Addresses that ended by time' },
  periodic_work_turn: { type: 'gauge', help: '1 where this node does the periodic work of all' },
  expired_messages: { type: 'counter', help: 'Messages that ended by time' },
  http_requests: { type: 'counter', help: 'HTTP requests by route and status', labels: ['method', 'route', 'status'] },
  http_request_seconds: {
    type: 'histogram',
    help: 'Time to the end of the answer',
    labels: ['route'],
    buckets: SECONDS,
  },
  support_forms: {
    type: 'counter',
    help: 'Forms to the operator: sent, or caught by the field that no person fills in',
    labels: ['kind', 'outcome'],
  },
  orders: { type: 'counter', help: 'Orders by the state they came to', labels: ['plan', 'provider', 'state'] },
  grants: { type: 'counter', help: 'Payments that Premium was granted for', labels: ['plan', 'provider'] },
  webhooks: {
    type: 'counter',
    help: 'Words of payment services by what became of them',
    labels: ['provider', 'result'],
  },
  reconciliations: {
    type: 'counter',
    help: 'Comparisons with payment services',
    labels: ['provider', 'outcome'],
  },
  reconciliation_differences: {
    type: 'counter',
    help: 'What was otherwise than a payment service says',
    labels: ['provider', 'kind'],
  },
  forwarding_asks: {
    type: 'counter',
    help: 'Destinations that were named: a mail asked them, or none was due',
    labels: ['outcome'],
  },
  forwarding_answers: { type: 'counter', help: 'What destinations said', labels: ['act'] },
  letters_sent: { type: 'counter', help: 'Mails of our own that were handed over', labels: ['kind'] },
  letters_failed: { type: 'counter', help: 'Mails of our own that were given up', labels: ['kind'] },
  letters_waiting: { type: 'gauge', help: 'Mails of our own that wait to be handed over' },
  subscription_endings: {
    type: 'counter',
    help: 'Subscriptions that were told of their end, or ended',
    labels: ['step'],
  },
  domain_checks: { type: 'counter', help: "Look-ups of subscribers' domains by outcome", labels: ['outcome'] },
  webhook_calls: {
    type: 'counter',
    help: "Calls to subscribers' webhooks by outcome; a failed one comes again",
    labels: ['outcome'],
  },
  webhook_call_seconds: { type: 'histogram', help: 'Time of a call to a webhook', buckets: SECONDS },
  webhook_calls_waiting: { type: 'gauge', help: 'Calls to webhooks that wait' },
  forwards: {
    type: 'counter',
    help: 'Mails to be forwarded by what became of them; a postponed one comes again',
    labels: ['outcome'],
  },
  forward_seconds: { type: 'histogram', help: 'Time of forwarding a mail', buckets: SECONDS },
  forwards_waiting: { type: 'gauge', help: 'Mails that wait to be forwarded' },
  forwarding_reports: {
    type: 'counter',
    help: 'What came to the return paths of forwarded mails, or called one abuse',
    labels: ['kind'],
  },
  forwardings_ended: { type: 'counter', help: 'Forwardings that bounces or complaints ended', labels: ['end'] },
  http_connections_open: { type: 'gauge', help: 'Open HTTP connections' },
  http_connections_refused: { type: 'counter', help: 'HTTP connections beyond a cap', labels: ['cap'] },
  http_streams_open: { type: 'gauge', help: 'Open event streams and held answers' },
}

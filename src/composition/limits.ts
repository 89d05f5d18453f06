import { DAY, SECOND } from '#core/time.ts'

/** Limits and batch sizes that are not settings. Tests replace some of them, mostly to reach a limit with little data. */
export const LIMITS = {
  /** How long a statement on PostgreSQL may wait for a lock, in milliseconds. */
  databaseLockTimeout: 5 * SECOND,
  /** How long sending an email is retried, in milliseconds. Emails about Premium are retried for longer. */
  emailRetryTime: DAY,
  /**
   * Delay of the response to a wrong sign-in code, in milliseconds. It is longer than recording a try takes, so the response
   * time does not reveal whether a link exists.
   */
  codePause: 300,
  /** Messages that a filter searches for one response. */
  filterScan: 500,
  /** Rows that one step of the sweep removes. Small steps do not block the receiver. */
  sweepRows: 200,
  /** Messages, and bytes of messages, that are stored in one transaction. */
  appendGroup: { maxMessages: 200, maxBytes: 16 * 1024 * 1024 },
  /** UTF-16 units in the label that a subscriber gives an address or an API key. */
  labelCharacters: 40,
  /** Rows that the export of an account reads at once. */
  exportBatch: 200,
  /** Subscriptions that periodic work reads at once. */
  endingsBatch: 200,
  /** Forwardings of one address that are listed. The oldest ended ones are removed to make room. */
  forwardingsListed: 10,
  /** Consent emails per day to all destinations of one domain. The limit per hour is a setting. */
  consentEmailsPerDomainPerDay: 2000,
  /** Consent emails to all destinations, per hour and per day. */
  consentEmails: { perHour: 2000, perDay: 10_000 },
  /** Webhook calls that one node makes at the same time, in total and to one host. */
  webhookCalls: 64,
  webhookCallsPerHost: 4,
  /** Calls that may wait for one webhook. Further calls are dropped. */
  webhookCallsWaiting: 1000,
  /** Pushes that one node sends at the same time, in total and through one push service. Most browsers share one of three. */
  pushes: 64,
  pushesPerHost: 16,
  /** Browsers that may subscribe to the pushes of one address. */
  pushBrowsers: 10,
}

export type Limits = typeof LIMITS

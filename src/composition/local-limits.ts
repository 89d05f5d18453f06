import { isGiven } from '#config/load.ts'
import { isOnlyLocal } from '#config/site.ts'
import type { Config, Key } from '#config/table.ts'
import type { HttpOptions } from '#http/options.ts'
import type { SmtpOptions } from '#smtp/options.ts'

/**
 * Limits per client are off while only this machine can connect, unless the operator sets them. A test program may keep a
 * connection and send messages at long intervals, so the time without one belongs to the commands that it may send.
 */
const SESSION_LIMITS = [
  ['SMTP_CONNECTIONS_PER_IP_MAX', 'maxConnectionsPerAddress'],
  ['SMTP_CONNECTIONS_PER_NETWORK_MAX', 'maxConnectionsPerNetwork'],
  ['SMTP_SESSION_COMMANDS_MAX', 'maxCommands'],
  ['SMTP_SESSION_COMMANDS_MAX', 'maxTimeWithoutMessage'],
  ['SMTP_SESSION_MESSAGES_MAX', 'maxMessages'],
  ['SMTP_REFUSED_RECIPIENTS_PER_HOUR', 'maxRefusedRecipients'],
] as const satisfies readonly (readonly [Key, keyof SmtpOptions])[]

const isLifted = (config: Config, key: Key): boolean => isOnlyLocal(config) && !isGiven(config, key)

export function unlimitedSessions(config: Config): Partial<SmtpOptions> {
  const unlimited = SESSION_LIMITS.filter(([key]) => isLifted(config, key))
  return Object.fromEntries(unlimited.map(([, name]) => [name, Infinity]))
}

/** Sessions of one client that faults may delay at the same time. */
export const maxDelayedPerClient = (config: Config): number =>
  isLifted(config, 'SMTP_DELAYED_SESSIONS_PER_IP_MAX') ? Infinity : config.smtp.maxDelayedPerClient

/** Limits that do not apply to requests from this machine, and the settings that make them apply, if there are any. */
const EXEMPT_LOCALLY: readonly [limits: HttpOptions['exemptLocally'], settings: readonly Key[]][] = [
  [['logins', 'failedLogins', 'linkChecks', 'images'], []],
  [['api'], ['API_REQUESTS_PER_SECOND']],
  [['pages'], ['PAGE_REQUESTS_PER_SECOND']],
  [['creations'], ['ADDRESS_CREATE_SECONDS', 'ADDRESS_CREATE_BURST']],
  [['streams'], ['STREAMS_PER_IP_MAX']],
  [['paymentEvents'], ['PAYMENT_EVENTS_PER_SECOND']],
  [['supportForms'], ['SUPPORT_SECONDS', 'SUPPORT_BURST']],
  [['signIns'], ['SIGN_IN_SECONDS', 'SIGN_IN_BURST']],
  [
    ['orders', 'ordersOfEmail'],
    ['ORDER_SECONDS', 'ORDER_BURST'],
  ],
  [['forwardAsks'], ['FORWARD_ASK_SECONDS', 'FORWARD_ASK_BURST']],
  [['domainChecks'], ['DOMAIN_CHECK_SECONDS', 'DOMAIN_CHECK_BURST']],
  [['webhookTests'], ['WEBHOOK_TEST_SECONDS', 'WEBHOOK_TEST_BURST']],
]

export const exemptLocally = (config: Config): HttpOptions['exemptLocally'] =>
  EXEMPT_LOCALLY.flatMap(([limits, settings]) => (settings.some((key) => isGiven(config, key)) ? [] : limits))

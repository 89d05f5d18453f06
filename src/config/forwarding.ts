import { bytes, choice, days, domain, integer } from './kinds.ts'
import { limit, setting } from './setting.ts'

/** Forwarding of messages to real email addresses. */
export const forwarding = {
  domain: setting(
    'FORWARD_DOMAIN',
    domain,
    undefined,
    'Mail domain of the envelope sender of forwarded messages, to which bounces return; unset: the first mail domain',
  ),
  outbox: limit(
    'FORWARD_OUTBOX',
    choice('auto', 'on', 'off'),
    'auto',
    'Whether messages are forwarded into `outbox` in the data directory if no relay is set; `auto`: if the site is on localhost',
  ),
  days: setting(
    'FORWARD_DAYS',
    integer(1, 365),
    '7',
    'How long a free address forwards after the destination has given its consent',
  ),
  destinations: setting('FORWARD_DESTINATIONS', integer(1, 100), '1', 'Destinations of a free address'),
  asksPerDay: limit(
    'FORWARD_ASKS_PER_DAY',
    integer(1, 100),
    '3',
    'Emails per day that ask one destination for its consent, for all addresses together',
  ),
  asksPerDomainPerHour: limit(
    'FORWARD_ASKS_PER_DOMAIN_PER_HOUR',
    integer(1, 1_000_000),
    '500',
    'Emails per hour that ask destinations of one domain for their consent',
  ),
  askSeconds: limit(
    'FORWARD_ASK_SECONDS',
    integer(1, 86_400),
    '30',
    'Seconds between two new destinations from one IP address, on average',
  ),
  askBurst: limit(
    'FORWARD_ASK_BURST',
    integer(1, 1_000_000),
    '5',
    'New destinations that one IP address may add in a burst',
  ),
  maxBytes: limit('FORWARD_MAX_BYTES', bytes(1024, 1024 ** 3), '25MB', 'The largest message that is forwarded'),
  maxHops: limit(
    'FORWARD_HOPS_MAX',
    integer(1, 1000),
    '50',
    '`Received` headers that a forwarded message may have, against loops',
  ),
  perHour: limit(
    'FORWARD_PER_HOUR',
    integer(1, 1_000_000),
    '60',
    'Messages per hour that are forwarded to one destination',
  ),
  perDay: limit(
    'FORWARD_PER_DAY',
    integer(1, 10_000_000),
    '500',
    'Messages per day that are forwarded to one destination',
  ),
  maxBounces: limit(
    'FORWARD_BOUNCES_MAX',
    integer(1, 1000),
    '3',
    'A forwarding ends after this many refusals or bounces within 7 days that say that the mailbox does not exist',
  ),
  logTime: limit('FORWARD_LOG_DAYS', days(1, 365), '7', 'How long the log of forwarded messages is kept'),
  maxAtOnce: limit('FORWARDS_AT_ONCE_MAX', integer(1, 10_000), '8', 'Messages that one node forwards at the same time'),
  maxPerDestination: limit(
    'FORWARDS_PER_DESTINATION_MAX',
    integer(1, 1000),
    '2',
    'Messages that one node forwards to one destination at the same time',
  ),
}

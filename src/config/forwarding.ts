import { bytes, choice, days, domain, integer } from './kinds.ts'
import { setting } from './setting.ts'

/** Forwarding of messages to real email addresses. */
export const forwarding = {
  domain: setting(
    'FORWARD_DOMAIN',
    domain,
    undefined,
    'Mail domain of the envelope sender of forwarded mail, where bounces come back to; unset: the first mail domain',
  ),
  outbox: setting(
    'FORWARD_OUTBOX',
    choice('auto', 'on', 'off'),
    'auto',
    'Forwarding without a relay, into `outbox` in the data directory; `auto`: where the site is on localhost',
  ),
  days: setting(
    'FORWARD_DAYS',
    integer(1, 365),
    '7',
    'How long a free address forwards after the destination has agreed',
  ),
  destinations: setting('FORWARD_DESTINATIONS', integer(1, 100), '1', 'Destinations of a free address'),
  asksPerDay: setting(
    'FORWARD_ASKS_PER_DAY',
    integer(1, 100),
    '3',
    'Mails a day that ask one destination whether it agrees, whoever is behind them',
  ),
  asksPerDomainPerHour: setting(
    'FORWARD_ASKS_PER_DOMAIN_PER_HOUR',
    integer(1, 1_000_000),
    '500',
    'Such mails an hour to all destinations under one domain',
  ),
  askSeconds: setting(
    'FORWARD_ASK_SECONDS',
    integer(1, 86_400),
    '30',
    'Seconds for each new destination from one IP address',
  ),
  askBurst: setting('FORWARD_ASK_BURST', integer(1, 1_000_000), '5', 'New destinations at once from one IP address'),
  maxBytes: setting('FORWARD_MAX_BYTES', bytes(1024, 1024 ** 3), '25MB', 'The largest mail that is forwarded'),
  maxHops: setting(
    'FORWARD_HOPS_MAX',
    integer(1, 1000),
    '50',
    'Received headers of a mail that is forwarded, against loops',
  ),
  perHour: setting(
    'FORWARD_PER_HOUR',
    integer(1, 1_000_000),
    '60',
    'Mails an hour that are forwarded to one destination',
  ),
  perDay: setting(
    'FORWARD_PER_DAY',
    integer(1, 10_000_000),
    '500',
    'Mails a day that are forwarded to one destination',
  ),
  maxBounces: setting(
    'FORWARD_BOUNCES_MAX',
    integer(1, 1000),
    '3',
    'Mails refused for good or returned within MAYFLY_FORWARD_BOUNCE_DAYS that end a forwarding',
  ),
  bounceTime: setting('FORWARD_BOUNCE_DAYS', days(1, 365), '7', 'For how long such a mail counts'),
  logTime: setting('FORWARD_LOG_DAYS', days(1, 365), '7', 'How long it is shown what was forwarded'),
  maxAtOnce: setting(
    'FORWARDS_AT_ONCE_MAX',
    integer(1, 10_000),
    '8',
    'Mails that are forwarded at one time, from one node',
  ),
  maxPerDestination: setting(
    'FORWARDS_PER_DESTINATION_MAX',
    integer(1, 1000),
    '2',
    'Such mails to one destination at one time',
  ),
}

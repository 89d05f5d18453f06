import { bytes, choice, domain, integer, text } from './kinds.ts'
import { setting } from './setting.ts'

/** How mail goes on to real addresses, and how it is signed. */
export const forwarding = {
  FORWARD_DOMAIN: setting(
    domain,
    undefined,
    'Mail domain of the envelope sender of forwarded mail, where bounces come back to; unset: the first mail domain',
  ),
  FORWARD_DAYS: setting(integer(1, 365), '7', 'How long a free address forwards after the destination has agreed'),
  FORWARD_DESTINATIONS: setting(integer(1, 100), '1', 'Destinations of a free address'),
  PREMIUM_FORWARD_DESTINATIONS: setting(integer(1, 100), '3', 'Destinations of an address of a subscription'),
  FORWARD_LINK_HOURS: setting(integer(1, 720), '24', 'How long a destination may take to agree by its link'),
  FORWARD_ASKS_PER_DAY: setting(
    integer(1, 100),
    '3',
    'Mails a day that ask one destination whether it agrees, whoever is behind them',
  ),
  FORWARD_ASKS_PER_DOMAIN_PER_HOUR: setting(
    integer(1, 1_000_000),
    '500',
    'Such mails an hour to all destinations under one domain',
  ),
  FORWARD_ASKS_PER_DOMAIN_PER_DAY: setting(
    integer(1, 10_000_000),
    '2000',
    'Such mails a day to all destinations under one domain',
  ),
  FORWARD_ASKS_IN_ALL_PER_HOUR: setting(integer(1, 1_000_000), '2000', 'Such mails an hour in all'),
  FORWARD_ASKS_IN_ALL_PER_DAY: setting(integer(1, 10_000_000), '10000', 'Such mails a day in all'),
  FORWARD_ASK_SECONDS: setting(integer(1, 86_400), '30', 'Seconds for each new destination from one IP address'),
  FORWARD_ASK_BURST: setting(integer(1, 1_000_000), '5', 'New destinations at once from one IP address'),
  FORWARDINGS_LISTED_MAX: setting(
    integer(1, 1000),
    '10',
    'Forwardings of an address in its list; the oldest that ended make room',
  ),
  FORWARD_MAX_BYTES: setting(bytes(1024, 1024 ** 3), '25MB', 'The largest mail that is forwarded'),
  FORWARD_HOPS_MAX: setting(integer(1, 1000), '50', 'Received headers of a mail that is forwarded, against loops'),
  FORWARD_PER_HOUR: setting(integer(1, 1_000_000), '60', 'Mails an hour that are forwarded to one destination'),
  FORWARD_PER_DAY: setting(integer(1, 10_000_000), '500', 'Mails a day that are forwarded to one destination'),
  FORWARD_RETRY_HOURS: setting(
    integer(1, 720),
    '24',
    'How long a forwarded mail that the relay does not take is tried again',
  ),
  FORWARD_BOUNCES_MAX: setting(
    integer(1, 1000),
    '3',
    'Mails refused for good or returned within MAYFLY_FORWARD_BOUNCE_DAYS that end a forwarding',
  ),
  FORWARD_BOUNCE_DAYS: setting(integer(1, 365), '7', 'For how long such a mail counts'),
  FORWARD_LOG_DAYS: setting(integer(1, 365), '7', 'How long it is shown what was forwarded'),
  FORWARDS_AT_ONCE_MAX: setting(integer(1, 10_000), '8', 'Mails that are forwarded at one time, from one node'),
  FORWARDS_PER_DESTINATION_MAX: setting(integer(1, 1000), '2', 'Such mails to one destination at one time'),
  FORWARD_OUTBOX: setting(
    choice('auto', 'on', 'off'),
    'auto',
    'Forwarding without a relay, into `outbox` in the data directory; `auto`: where the site is on localhost',
  ),
  DKIM_SELECTOR: setting(
    text('a name of emails, digits and hyphens', /^(?!-)[a-z0-9-]{1,63}(?<!-)$/),
    'mayfly',
    'Selector of the DKIM key that forwarded mail and emails are signed with',
  ),
} as const

import { choice, integer, list, text } from './kinds.ts'
import { setting } from './setting.ts'

/** Terms that say who may send (RFC 7208 5), without `all`, which Mayfly adds. */
const SPF_TERM = String.raw`[+?~-]?(?:include|a|mx|ip4|ip6|exists)(?:[:/][\w.:/%{}-]+)?`
const ZONE = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

/** How the service looks from outside: what `mayfly dns` prints and `mayfly doctor` checks, and what lies in the outbox. */
export const operating = {
  SPF: setting(
    text('terms of an SPF record such as include:relay.example', new RegExp(`^${SPF_TERM}(?: +${SPF_TERM})*$`, 'i')),
    undefined,
    "Who may send for the service's domains, such as `include:relay.example`; unset: the host of `MAYFLY_OUTBOUND_URL`",
  ),
  MTA_STS: setting(
    choice('enforce', 'testing', 'none'),
    'testing',
    'What senders do where they cannot reach the receiver over TLS with a valid certificate (RFC 8461): not deliver, tell, or nothing',
  ),
  MTA_STS_MAX_AGE_DAYS: setting(integer(1, 365), '7', 'How long senders keep that policy'),
  BLOCKLISTS: setting(
    list('DNS names of blocklists, separated by commas', ZONE),
    'zen.spamhaus.org,bl.spamcop.net,psbl.surriel.com',
    'Blocklists that `mayfly doctor` asks about the addresses of the receiver',
  ),
  DOCTOR_SECONDS: setting(integer(1, 300), '10', 'Time for each look-up and connection of `mayfly doctor`'),
  OUTBOX_DAYS: setting(integer(1, 3650), '7', 'How long mails in `outbox` are kept'),
} as const

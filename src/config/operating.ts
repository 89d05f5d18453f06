import { choice, days, list, seconds, text } from './kinds.ts'
import { setting } from './setting.ts'

/** Terms that say who may send (RFC 7208 5), without `all`, which Mayfly adds. */
const SPF_TERM = String.raw`[+?~-]?(?:include|a|mx|ip4|ip6|exists)(?:[:/][\w.:/%{}-]+)?`
const ZONE = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

/** What `mayfly dns` prints and `mayfly doctor` checks. */
export const operating = {
  spf: setting(
    'SPF',
    text('terms of an SPF record such as include:relay.example', new RegExp(`^${SPF_TERM}(?: +${SPF_TERM})*$`, 'i')),
    undefined,
    "Who may send for the service's domains, such as `include:relay.example`; unset: the host of `MAYFLY_OUTBOUND_URL`",
  ),
  mtaSts: setting(
    'MTA_STS',
    choice('enforce', 'testing', 'none'),
    'testing',
    'What senders do where they cannot reach the receiver over TLS with a valid certificate (RFC 8461): not deliver, tell, or nothing',
  ),
  mtaStsMaxAge: setting('MTA_STS_MAX_AGE_DAYS', days(1, 365), '7', 'How long senders keep that policy'),
  blocklists: setting(
    'BLOCKLISTS',
    list('DNS names of blocklists, separated by commas', ZONE),
    'zen.spamhaus.org,bl.spamcop.net,psbl.surriel.com',
    'Blocklists that `mayfly doctor` asks about the addresses of the receiver',
  ),
  doctorTimeout: setting(
    'DOCTOR_SECONDS',
    seconds(1, 300),
    '10',
    'Time for each look-up and connection of `mayfly doctor`',
  ),
}

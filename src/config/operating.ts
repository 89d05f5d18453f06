import { choice, days, list, seconds, text } from './kinds.ts'
import { limit, setting } from './setting.ts'

/** An SPF term that names permitted senders (RFC 7208 5). `all` is excluded because Mayfly adds it. */
const SPF_TERM = String.raw`[+?~-]?(?:include|a|mx|ip4|ip6|exists)(?:[:/][\w.:/%{}-]+)?`
const ZONE = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

/** What `mayfly dns` prints and `mayfly doctor` checks. */
export const operating = {
  spf: setting(
    'SPF',
    text('terms of an SPF record such as include:relay.example', new RegExp(`^${SPF_TERM}(?: +${SPF_TERM})*$`, 'i')),
    undefined,
    "SPF terms for servers that may send for the service's domains, such as `include:relay.example`; unset: the host of `MAYFLY_OUTBOUND_URL`",
  ),
  mtaSts: setting(
    'MTA_STS',
    choice('enforce', 'testing', 'none'),
    'testing',
    'MTA-STS policy (RFC 8461): if senders cannot reach the receiver over TLS with a valid certificate, they do not deliver (`enforce`), deliver and report it (`testing`) or deliver (`none`)',
  ),
  mtaStsMaxAge: limit('MTA_STS_MAX_AGE_DAYS', days(1, 365), '7', 'How long senders cache the MTA-STS policy'),
  blocklists: setting(
    'BLOCKLISTS',
    list('DNS names of blocklists, separated by commas', ZONE),
    'zen.spamhaus.org,bl.spamcop.net,psbl.surriel.com',
    'Blocklists in which `mayfly doctor` looks up the IP addresses of the receiver',
  ),
  doctorTimeout: limit(
    'DOCTOR_SECONDS',
    seconds(1, 300),
    '10',
    'Time for each lookup and connection of `mayfly doctor`',
  ),
}

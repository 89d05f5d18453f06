import { days, integer, seconds } from './kinds.ts'
import { limit } from './setting.ts'

/** Subscribers' own domains. */
export const ownDomains = {
  checkSeconds: limit(
    'DOMAIN_CHECK_SECONDS',
    integer(1, 86_400),
    '5',
    'Seconds between two checks of own domains that one subscriber requests, on average',
  ),
  checkBurst: limit(
    'DOMAIN_CHECK_BURST',
    integer(1, 1_000_000),
    '5',
    'Checks that one subscriber may request in a burst',
  ),
  lookupTimeout: limit(
    'DOMAIN_LOOKUP_SECONDS',
    seconds(1, 60),
    '10',
    'Time for the lookup of one DNS record of an own domain',
  ),
  failingTime: limit(
    'DOMAIN_FAILING_DAYS',
    days(0, 90),
    '7',
    'How long mail for an own domain is still accepted after its DNS records are gone',
  ),
}

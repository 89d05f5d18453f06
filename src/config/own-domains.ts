import { days, integer, seconds } from './kinds.ts'
import { setting } from './setting.ts'

/** Subscribers' own domains. */
export const ownDomains = {
  checkSeconds: setting(
    'DOMAIN_CHECK_SECONDS',
    integer(1, 86_400),
    '5',
    'Seconds for each look-up of own domains that one subscriber asks for',
  ),
  checkBurst: setting('DOMAIN_CHECK_BURST', integer(1, 1_000_000), '5', 'Such look-ups at once'),
  lookupTimeout: setting(
    'DOMAIN_LOOKUP_SECONDS',
    seconds(1, 60),
    '10',
    'Time for looking up one DNS record of such a domain',
  ),
  failingTime: setting(
    'DOMAIN_FAILING_DAYS',
    days(0, 90),
    '7',
    'How long mail for such a domain is still taken when its records are gone',
  ),
}

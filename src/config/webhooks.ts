import { integer, seconds } from './kinds.ts'
import { setting } from './setting.ts'

/** Calls to subscribers' webhooks. */
export const webhooks = {
  timeout: setting('WEBHOOK_SECONDS', seconds(1, 120), '10', "Time for one call to a subscriber's webhook"),
  offDays: setting(
    'WEBHOOK_OFF_DAYS',
    integer(1, 365),
    '3',
    'After how long a time of nothing but failures such a webhook is switched off',
  ),
  testSeconds: setting(
    'WEBHOOK_TEST_SECONDS',
    integer(1, 86_400),
    '5',
    'Seconds for each test call that one subscriber asks for',
  ),
  testBurst: setting('WEBHOOK_TEST_BURST', integer(1, 1_000_000), '5', 'Such test calls at once'),
}

import { integer, seconds } from './kinds.ts'
import { limit } from './setting.ts'

/** Calls to subscribers' webhooks. */
export const webhooks = {
  timeout: limit('WEBHOOK_SECONDS', seconds(1, 120), '10', "Time for one call to a subscriber's endpoint"),
  offDays: limit(
    'WEBHOOK_OFF_DAYS',
    integer(1, 365),
    '3',
    'Days after which a webhook whose calls all failed is switched off',
  ),
  testSeconds: limit(
    'WEBHOOK_TEST_SECONDS',
    integer(1, 86_400),
    '5',
    'Seconds between two test calls that one subscriber requests, on average',
  ),
  testBurst: limit(
    'WEBHOOK_TEST_BURST',
    integer(1, 1_000_000),
    '5',
    'Test calls that one subscriber may request in a burst',
  ),
}

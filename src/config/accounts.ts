import { days, integer } from './kinds.ts'
import { limit } from './setting.ts'

/** Signing in. */
export const accounts = {
  signInSeconds: limit(
    'SIGN_IN_SECONDS',
    integer(1, 86_400),
    '60',
    'Seconds between two sign-in links for one IP address, on average',
  ),
  signInBurst: limit(
    'SIGN_IN_BURST',
    integer(1, 1_000_000),
    '5',
    'Sign-in links that one IP address may request in a burst',
  ),
  maxSignInLinks: limit(
    'SIGN_IN_LINKS_MAX',
    integer(1, 1000),
    '3',
    'Valid sign-in links for one email address that one network, or a browser that was signed in, may request; all networks together: four times as many, and as many again for browsers that were signed in',
  ),
  sessionLifetime: limit('SESSION_DAYS', days(1, 3650), '90', 'How long a session lasts after the last visit'),
}

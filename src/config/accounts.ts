import { days, integer } from './kinds.ts'
import { setting } from './setting.ts'

/** Signing in. */
export const accounts = {
  signInSeconds: setting(
    'SIGN_IN_SECONDS',
    integer(1, 86_400),
    '60',
    'Seconds for each sign-in link from one IP address',
  ),
  signInBurst: setting('SIGN_IN_BURST', integer(1, 1_000_000), '5', 'Sign-in links at once from one IP address'),
  maxSignInLinks: setting(
    'SIGN_IN_LINKS_MAX',
    integer(1, 1000),
    '3',
    'Sign-in links for one email in that time that one network gets; all together get four times as many',
  ),
  sessionLifetime: setting('SESSION_DAYS', days(1, 3650), '90', 'How long a signed-in browser may be away'),
}

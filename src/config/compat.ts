import { subset } from './kinds.ts'
import { setting } from './setting.ts'

/** Other services whose clients work here. */
const COMPAT_SERVICES = ['mail.tm', 'mailpit'] as const

export const compat = {
  services: setting(
    'COMPAT',
    subset(...COMPAT_SERVICES),
    undefined,
    'APIs of other services, for their clients: `mail.tm` at `/compat/mail.tm`, `mailpit` at `/compat/mailpit`; unset: none',
  ),
}

import { text } from './kinds.ts'
import { setting } from './setting.ts'

/** Who runs the service. Shown on the pages about privacy and terms (GDPR Article 13, PIPL Article 17). */
export const operator = {
  name: setting(
    'OPERATOR_NAME',
    text('a name'),
    undefined,
    'Name of the person or company that runs the service, for the legal notice on `/privacy` and `/terms`; unset: they link to the contact form alone',
    { essential: true },
  ),
  address: setting('OPERATOR_ADDRESS', text('a postal address'), undefined, 'Postal address for the legal notice', {
    essential: true,
  }),
  email: setting(
    'OPERATOR_EMAIL',
    text('an email address', /^[^\s@<>]+@[^\s@<>]+$/),
    undefined,
    'Email address for the legal notice and `/.well-known/security.txt`; at a mail domain of the service it leads to `mayfly operator-mail`, and no visitor can have it',
    { essential: true },
  ),
  law: setting(
    'OPERATOR_LAW',
    text('a text'),
    undefined,
    'Applicable law and supervisory authority for the legal notice',
  ),
}

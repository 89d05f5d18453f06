import { outboundUrl, seconds, text } from './kinds.ts'
import { limit, setting } from './setting.ts'

/** Emails that Mayfly itself sends. */
export const email = {
  relayUrl: setting(
    'OUTBOUND_URL',
    outboundUrl,
    undefined,
    'Relay for emails and forwarded messages, such as smtps://user:password@host; unset: emails are written to `outbox` in the data directory',
    { secret: true, essential: true },
  ),
  from: setting(
    'OUTBOUND_FROM',
    text('an email address', /^[^\s@<>]+@[^\s@<>]+$/),
    undefined,
    'Sender of emails; unset: noreply@ the first mail domain',
  ),
  timeout: limit(
    'OUTBOUND_SECONDS',
    seconds(1, 600),
    '60',
    'Time for sending one email to the relay. A forwarded message has five times as long',
  ),
  dkimSelector: setting(
    'DKIM_SELECTOR',
    text('a name of letters, digits and hyphens', /^(?!-)[a-z0-9-]{1,63}(?<!-)$/),
    'mayfly',
    'Selector of the DKIM key that signs forwarded messages and emails',
  ),
}

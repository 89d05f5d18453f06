import type { Authentication, Envelope } from '#core/mailbox/message.ts'
import { all, createLookUp, isExcessive, type LookUpOptions, within } from './look-up.ts'

/** Answers a function that checks SPF, DKIM and DMARC of a mail; out of time every result is `temperror`. It never rejects. */
export function createAuthenticate(options: LookUpOptions) {
  const lookUp = createLookUp(options)

  async function check(mail: Uint8Array, envelope: Envelope): Promise<Authentication> {
    const raw = Buffer.from(mail.buffer, mail.byteOffset, mail.length)
    if (isExcessive(raw)) return all('policy')
    return (await lookUp(raw, envelope, { servedBy: 'mayfly', arc: false })).authentication
  }

  return (raw: Uint8Array, envelope: Envelope): Promise<Authentication> =>
    within(options.timeout, check(raw, envelope), () => all('temperror'))
}

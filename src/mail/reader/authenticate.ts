import { type Authentication, type Envelope, NOT_CHECKED } from '#core/mailbox/message.ts'
import { allResults, createLookUp, isExcessive, type LookUpOptions, withTimeout } from './look-up.ts'

/**
 * Returns a function that checks SPF, DKIM and DMARC of a message. After the timeout all results are `temperror`. It
 * never rejects.
 */
export function createAuthenticate(options: LookUpOptions) {
  const authenticate = createLookUp(options)

  async function check(mail: Uint8Array, envelope: Envelope): Promise<Authentication> {
    const raw = Buffer.from(mail.buffer, mail.byteOffset, mail.length)
    if (isExcessive(raw)) return allResults('policy')
    return (await authenticate(raw, envelope, { servedBy: 'mayfly', arc: false })).authentication
  }

  return (raw: Uint8Array, envelope: Envelope): Promise<Authentication> =>
    withTimeout(options.timeout, check(raw, envelope), () => NOT_CHECKED)
}

import type { CheckedSender } from '#core/mailbox/mail-reader.ts'
import { type Envelope, NOT_CHECKED } from '#core/mailbox/message.ts'
import { createLookUp, isExcessive, type LookUpOptions, onlyAuthor, withTimeout } from './look-up.ts'

/**
 * The part of the time after which only names of the author's domain are looked up. Name servers of the sender's choice
 * that never respond must not prevent the check of the domain that the reader sees.
 */
const IDENTIFIERS_PART = 0.6

/**
 * Returns a function that checks SPF, DKIM and DMARC of a message. After the timeout all results are `temperror`. It
 * never rejects.
 */
export function createAuthenticate(options: LookUpOptions) {
  const authenticate = createLookUp(options)

  async function check(mail: Uint8Array, envelope: Envelope): Promise<CheckedSender> {
    const raw = Buffer.from(mail.buffer, mail.byteOffset, mail.length)
    const excessive = isExcessive(raw)
    const patience = options.timeout * IDENTIFIERS_PART
    const how = { servedBy: 'mayfly', arc: false, patience }
    const { authentication, answered } = await authenticate(excessive ? onlyAuthor(raw) : raw, envelope, how)
    const { spf, dkim, dmarc } = authentication
    if (excessive) return { spf, dkim: 'policy', dmarc: dmarc === 'pass' ? 'policy' : dmarc }
    const unchecked = [spf, dkim, dmarc].every((result) => result === 'temperror')
    return unchecked && answered ? { ...authentication, answered } : authentication
  }

  return (raw: Uint8Array, envelope: Envelope): Promise<CheckedSender> =>
    withTimeout<CheckedSender>(options.timeout, check(raw, envelope), () => NOT_CHECKED)
}

import type { CheckedSender } from '#core/mailbox/mail-reader.ts'
import { type Envelope, NOT_CHECKED } from '#core/mailbox/message.ts'
import { createLookUp, isExcessive, type LookUpOptions, onlyAuthor, withTimeout } from './look-up.ts'

/** The part of the time for SPF and DKIM, whose name servers the sender chooses. DMARC has the rest. */
const IDENTIFIERS_PART = 0.6
const NO_MAIL = Buffer.from('\r\n')

/**
 * Returns a function that checks SPF, DKIM and DMARC of a message. After the timeout all results are `temperror`. It
 * never rejects.
 */
export function createAuthenticate(options: LookUpOptions) {
  const lookUp = createLookUp(options)

  async function check(mail: Uint8Array, envelope: Envelope): Promise<CheckedSender> {
    const raw = Buffer.from(mail.buffer, mail.byteOffset, mail.length)
    const excessive = isExcessive(raw)
    const checked = excessive ? onlyAuthor(raw) : raw
    const patience = options.timeout * IDENTIFIERS_PART
    const { authentication, answered } = await lookUp.sender(checked ?? NO_MAIL, envelope, patience)
    const { spf, dkim, dmarc } = authentication
    if (!checked) return { spf, dkim: 'policy', dmarc: 'fail' }
    if (excessive) return { spf, dkim: 'policy', dmarc: dmarc === 'pass' ? 'policy' : dmarc }
    const isUnchecked = [spf, dmarc].every((result) => result === 'temperror') && /^(?:temperror|none)$/.test(dkim)
    if (!isUnchecked) return authentication
    return answered ? { ...NOT_CHECKED, answered } : NOT_CHECKED
  }

  return (raw: Uint8Array, envelope: Envelope): Promise<CheckedSender> =>
    withTimeout<CheckedSender>(options.timeout, check(raw, envelope), () => NOT_CHECKED)
}

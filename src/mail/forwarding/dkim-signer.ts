import type { SigningKey } from '#core/forwarding/forwarding.ts'
import { STOP_FIELD } from './fields.ts'
import { MARK_FIELD } from './gate.ts'

/** The fields of RFC 6376 5.4.1, the fields that forwarding adds, and List-Unsubscribe-Post as RFC 8058 4 requires. */
const SIGNED_FIELDS = [
  'From',
  'Sender',
  'Reply-To',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  MARK_FIELD,
  STOP_FIELD,
  'X-Forwarded-To',
  'X-Forwarded-For',
]

/**
 * Returns a function that creates the DKIM-Signature of a message (RFC 6376, relaxed/relaxed): the whole field with its
 * CRLF, to be put before the message. It rejects if the key cannot sign or the message has no From.
 */
export function createDkimSigner({ domain, selector, privateKey }: SigningKey): (raw: Uint8Array) => Promise<string> {
  return async (raw) => {
    // Loaded on demand, because most commands and many sites sign nothing in the main thread.
    const { dkimSign } = await import('mailauth')
    const key = { signingDomain: domain, selector, privateKey }
    const { signatures, errors } = await dkimSign(Buffer.from(raw.buffer, raw.byteOffset, raw.length), {
      ...key,
      signatureData: [{ ...key, canonicalization: 'relaxed/relaxed', headerList: SIGNED_FIELDS }],
    })
    if (!signatures) throw new Error(`The message could not be signed: ${errors[0]?.err.message}`)
    return signatures
  }
}

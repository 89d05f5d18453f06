import { domainOf } from '#mail/email-address.ts'
import { createDkimSigner } from '#mail/forwarding/dkim-signer.ts'
import type { SigningKeyOf } from './signing-key.ts'

/** Puts a DKIM signature before a mail of Mayfly's own. */
export type SignLetter = (raw: Uint8Array) => Promise<Uint8Array>

/** `from`: whom letters are from; it is his domain that signs, or DMARC would not hear of it. */
export function createSignLetter(signingKey: SigningKeyOf, from: string): SignLetter {
  const domain = domainOf(from)
  return async (raw) => {
    const sign = createDkimSigner(await signingKey(domain))
    return Buffer.concat([Buffer.from(await sign(raw)), raw])
  }
}

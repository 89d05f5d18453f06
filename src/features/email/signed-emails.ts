import { domainOf } from '#mail/email-address.ts'
import { createDkimSigner } from '#mail/forwarding/dkim-signer.ts'
import type { SigningKeyOf } from './signing-key.ts'

/** Puts a DKIM signature before a mail of Mayfly's own. */
export type SignEmail = (raw: Uint8Array) => Promise<Uint8Array>

/** `from`: whom emails are from; it is his domain that signs, or DMARC would not hear of it. */
export function createSignEmail(signingKey: SigningKeyOf, from: string): SignEmail {
  const domain = domainOf(from)
  return async (raw) => {
    const sign = createDkimSigner(await signingKey(domain))
    return Buffer.concat([Buffer.from(await sign(raw)), raw])
  }
}

import type { Logger } from '#core/telemetry.ts'
import { domainOf } from '#mail/email-address.ts'
import { createDkimSigner } from '#mail/forwarding/dkim-signer.ts'
import { SigningKeyDamaged, type SigningKeyOf } from './signing-key.ts'

/** Puts a DKIM signature before a mail of Mayfly's own. */
export type SignEmail = (raw: Uint8Array) => Promise<Uint8Array>

/**
 * `from`: whom emails are from; it is his domain that signs, or DMARC would not hear of it. Where the key is damaged, emails
 * leave without a signature, and that is logged once: sign-in links must arrive.
 */
export function createSignEmail(signingKey: SigningKeyOf, from: string, logger: Pick<Logger, 'error'>): SignEmail {
  const domain = domainOf(from)
  let logged = false
  return async (raw) => {
    const key = await signingKey(domain).catch((error: unknown) => {
      if (!(error instanceof SigningKeyDamaged)) throw error
      if (!logged) logger.error({ err: error }, 'emails leave without a DKIM signature')
      logged = true
      return undefined
    })
    return key ? Buffer.concat([Buffer.from(await createDkimSigner(key)(raw)), raw]) : raw
  }
}

import type { Logger } from '#core/telemetry.ts'
import { recipientParts } from '#mail/email-address.ts'
import { createDkimSigner } from '#mail/forwarding/dkim-signer.ts'
import { SigningKeyDamaged, type SigningKeyOf } from './signing-key.ts'

/** Adds a DKIM signature to Mayfly's own emails. */
export type SignEmail = (raw: Uint8Array) => Promise<Uint8Array>

/**
 * Creates the signer. `from` is the sender, whose domain signs, because DMARC requires an aligned signature. With a
 * damaged key, emails are sent without a signature, which is logged once: sign-in links must arrive.
 */
export function createSignEmail(signingKey: SigningKeyOf, from: string, logger: Pick<Logger, 'error'>): SignEmail {
  const { domain } = recipientParts(from)
  let logged = false
  return async (raw) => {
    const key = await signingKey(domain).catch((error: unknown) => {
      if (!(error instanceof SigningKeyDamaged)) throw error
      if (!logged) logger.error({ err: error }, 'emails are sent without a DKIM signature')
      logged = true
      return undefined
    })
    return key ? Buffer.concat([Buffer.from(await createDkimSigner(key)(raw)), raw]) : raw
  }
}

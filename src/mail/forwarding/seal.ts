import { createSeal } from 'mailauth'
import type { ForwardRequest } from '#core/forwarding/forwarding.ts'
import type { LookedUp } from '../reader/look-up.ts'
import { createDkimSigner } from './dkim-signer.ts'

const CRLF = '\r\n'
const BODY_HASH = /[; ]bh=([^;]*);/

/** Converts header fields to the form of mailauth's parser. */
const rowsOf = (fields: string) =>
  fields
    .split(/\r\n(?![ \t]|$)/)
    .filter(Boolean)
    .map((field) => {
      const casedKey = field.slice(0, field.indexOf(':'))
      return { casedKey, key: casedKey.toLowerCase(), line: Buffer.from(field.trimEnd()) }
    })

/**
 * Returns the head of a forwarded message: ARC set (RFC 8617), DKIM signature, Authentication-Results (RFC 8601) and
 * Mayfly's fields. The ARC set seals the message as it leaves. It is omitted if the existing chain is already broken
 * (5.1), is full, or could not be verified because a name server failed.
 */
export async function sealHead(
  original: Buffer,
  { details, dnsFailed }: LookedUp,
  { signing, fields }: ForwardRequest,
): Promise<Uint8Array> {
  if (!details.arc) throw new TypeError('The lookups must include ARC')
  const { status, authResults = `${signing.domain}; none` } = details.arc
  const ownFields = `Authentication-Results: ${authResults}${CRLF}${fields}`
  const signature = await createDkimSigner(signing)(Buffer.concat([Buffer.from(ownFields), original]))
  const signed = signature + ownFields
  if (status.result === 'fail' && dnsFailed) return Buffer.from(signed)
  const { headers } = await createSeal(false, {
    headers: { parsed: [...rowsOf(signed), ...(details.dkim.headers?.parsed ?? [])] },
    ...(details.dkim.arc && { arc: details.dkim.arc }),
    seal: {
      signingDomain: signing.domain,
      selector: signing.selector,
      privateKey: signing.privateKey,
      cv: status.result,
      authResults,
      // The DKIM signature has the same body hash (relaxed, SHA-256), so that large bodies are hashed once.
      bodyHash: BODY_HASH.exec(signature)?.[1]?.replace(/\s/g, '') ?? '',
    },
  })
  return Buffer.from(headers.map((header) => header + CRLF).join('') + signed)
}

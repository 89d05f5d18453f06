import { createSeal } from 'mailauth'
import type { ForwardRequest } from '#core/forwarding/forwarding.ts'
import type { LookedUp } from '../reader/look-up.ts'
import { createDkimSigner } from './dkim-signer.ts'

const CRLF = '\r\n'
const BODY_HASH = /[; ]bh=([^;]*);/

/** Header fields as mailauth has them after parsing. */
const rowsOf = (fields: string) =>
  fields
    .split(/\r\n(?![ \t]|$)/)
    .filter(Boolean)
    .map((field) => {
      const casedKey = field.slice(0, field.indexOf(':'))
      return { casedKey, key: casedKey.toLowerCase(), line: Buffer.from(field.trimEnd()) }
    })

/**
 * All that comes before the bytes of a forwarded mail: ARC set (RFC 8617), our DKIM signature, what the look-ups said
 * (RFC 8601), our fields. The set seals the mail as it leaves. There is none on a chain that is known as broken (5.1), that is
 * full, or that could not be looked up: a name server that is down makes no chain a broken one.
 */
export async function sealHead(
  original: Buffer,
  { details, dnsFailed }: LookedUp,
  { signing, fields }: ForwardRequest,
): Promise<Uint8Array> {
  if (!details.arc) throw new TypeError('Look-ups without ARC')
  const { status, authResults = `${signing.domain}; none` } = details.arc
  const ours = `Authentication-Results: ${authResults}${CRLF}${fields}`
  const signature = await createDkimSigner(signing)(Buffer.concat([Buffer.from(ours), original]))
  const signed = signature + ours
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
      // The same as of our signature (relaxed, SHA-256): large bodies are hashed once.
      bodyHash: BODY_HASH.exec(signature)?.[1]?.replace(/\s/g, '') ?? '',
    },
  })
  return Buffer.from(headers.map((header) => header + CRLF).join('') + signed)
}

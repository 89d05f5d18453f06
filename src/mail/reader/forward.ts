import { getDomain } from 'tldts'
import type { ForwardedMail, ForwardRequest } from '#core/forwarding/forwarding.ts'
import { isWithin } from '#core/mailbox/domain.ts'
import { type Envelope, NOT_CHECKED } from '#core/mailbox/message.ts'
import { withoutReturnPath } from '../forwarding/header-section.ts'
import { sealHead } from '../forwarding/seal.ts'
import { allResults, createLookUp, isExcessive, type LookedUp, type LookUpOptions, withTimeout } from './look-up.ts'

/** The result for a message that must not be forwarded. It has no head. */
const headless = (authentication: ForwardedMail['authentication']): ForwardedMail => ({
  authentication,
  head: new Uint8Array(),
})

/** The result for a message whose lookups failed or took too long. */
const undecided = (): ForwardedMail => headless(NOT_CHECKED)

/** Returns the domain below the public suffix, such as `example.co.uk`. */
const registeredDomain = (domain: string): string => getDomain(domain, { allowPrivateDomains: true }) ?? domain

/**
 * Whether the From domain belongs to this service, so that its signature and envelope, or the relay, would vouch for the
 * message. All names below one registered domain have the same owner.
 */
function isFromService({ dmarc }: LookedUp['details'], serviceDomains: readonly string[]): boolean {
  const from = dmarc && dmarc.status.header?.from
  if (!from) return false
  const sender = from.toLowerCase().replace(/\.$/, '')
  const registered = registeredDomain(sender)
  return serviceDomains.some((domain) => registeredDomain(domain) === registered || isWithin(domain, [sender]))
}

/**
 * Returns a function that authenticates a message and creates the head to forward it with. DMARC is `fail` for three
 * kinds of messages for which no domain takes responsibility: a message that is excessively expensive to check, one
 * whose From does not name exactly one domain (RFC 9989 11.5), and one from a domain of this service, or beside one,
 * without a DMARC record, because recipients would believe that Mayfly wrote it. Rejects only if the key cannot sign.
 */
export function createForward(options: LookUpOptions) {
  const lookUp = createLookUp(options)

  return async (mail: Uint8Array, envelope: Envelope, request: ForwardRequest): Promise<ForwardedMail> => {
    const original = Buffer.from(withoutReturnPath(mail))
    if (isExcessive(original)) return headless({ ...allResults('policy'), dmarc: 'fail' })
    const all = lookUp.all(original, envelope, request.signing.domain)
    const lookedUp = await withTimeout<LookedUp | undefined>(options.timeout, all, () => undefined)
    if (!lookedUp) return undecided()
    const { authentication, details } = lookedUp
    const ours = [request.signing.domain, ...(request.serviceDomains ?? [])]
    const unproven = authentication.dmarc === 'none' && isFromService(details, ours)
    if (details.dmarcSkipReason || unproven) return headless({ ...authentication, dmarc: 'fail' })
    return { authentication, head: await sealHead(original, lookedUp, request) }
  }
}

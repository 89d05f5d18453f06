import type { ForwardedMail, ForwardRequest } from '#core/forwarding/forwarding.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import { withoutReturnPath } from '../forwarding/return-path.ts'
import { sealHead } from '../forwarding/seal.ts'
import { all, createLookUp, isExcessive, type LookedUp, type LookUpOptions, within } from './look-up.ts'

/** A mail that is not to be forwarded has no head. */
const headless = (authentication: ForwardedMail['authentication']): ForwardedMail => ({
  authentication,
  head: new Uint8Array(),
})

/** What could not be looked up in time, or at all. */
export const undecided = (): ForwardedMail => headless(all('temperror'))

/** Whether a mail is in our own name, so that our signature and our envelope would vouch for it. */
function inOurName({ dmarc }: LookedUp['details'], ours: string): boolean {
  const from = dmarc && dmarc.status.header?.from
  if (!from) return false
  const sender = from.toLowerCase().replace(/\.$/, '')
  return sender === ours || sender.endsWith(`.${ours}`) || ours.endsWith(`.${sender}`)
}

/**
 * Answers a function that looks a mail up and makes the head to forward it with. Fails DMARC here, since nobody stands for it:
 * a mail that is too much trouble, one whose From names no one domain (RFC 9989 11.5), and one in our own name where we have
 * no DMARC record, for all who get it from us would believe that it is ours. Rejects only where the key signs nothing.
 */
export function createForward(options: LookUpOptions) {
  const lookUp = createLookUp(options)

  return async (mail: Uint8Array, envelope: Envelope, request: ForwardRequest): Promise<ForwardedMail> => {
    const original = Buffer.from(withoutReturnPath(mail))
    if (isExcessive(original)) return headless({ ...all('policy'), dmarc: 'fail' })
    const found = lookUp(original, envelope, { servedBy: request.signing.domain, arc: true })
    const lookedUp = await within<LookedUp | undefined>(options.timeout, found, () => undefined)
    if (!lookedUp) return undecided()
    const { authentication, details } = lookedUp
    const unproven = authentication.dmarc === 'none' && inOurName(details, request.signing.domain)
    if (details.dmarcSkipReason || unproven) return headless({ ...authentication, dmarc: 'fail' })
    return { authentication, head: await sealHead(original, lookedUp, request) }
  }
}

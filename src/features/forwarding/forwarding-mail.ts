import type { OutboundMail } from '#core/email/email.ts'
import type { ForwardingOutcome, ForwardingRow, SigningKey, WaitingJob } from '#core/forwarding/forwarding.ts'
import { domainOf, type IsOurs } from '#core/mailbox/domain.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { Clock } from '#core/time.ts'
import { forwardFields } from '#mail/forwarding/fields.ts'
import { forbids, type GateLimits } from '#mail/forwarding/gate.ts'
import { withoutForgedResults, withoutReturnPath } from '#mail/forwarding/header-section.ts'
import type { ForwardingMarks } from '#mail/forwarding/mark.ts'
import type { ReturnPaths } from '#mail/forwarding/srs.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import type { AddressKeys } from '#mail/sealing/keys.ts'
import type { Opener } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { openRoute } from './forwarding-destination.ts'

/**
 * Makes the email to send for a job. If none may be sent, resolves with the outcome of the job, or with
 * `unknown-sender` if the DNS gave no answer about the sender.
 */
export type MakeForwardedMail = (
  job: WaitingJob,
  forwarding: ForwardingRow,
  sealedMail: Uint8Array,
) => Promise<OutboundMail | ForwardingOutcome | 'unknown-sender'>

interface ForwardingMailDeps {
  reader: Pick<MailReader, 'forward'>
  wrap: Pick<Wrap, 'unwrap'>
  keys: Pick<AddressKeys, 'privateKey' | 'publicKey'>
  opener: Pick<Opener, 'open'>
  marks: Pick<ForwardingMarks, 'mark' | 'stopToken'>
  returnPaths: Pick<ReturnPaths, 'encode'>
  clock: Clock
  limits: GateLimits
  /** The domain of the return path and of the signatures. */
  domain: string
  /** All domains and hosts of this service, lower case. */
  serviceDomains: readonly string[]
  signingKey: (domain: string) => Promise<SigningKey>
  /** Returns the URL of the page that ends a forwarding. */
  stopUrl: (language: string, token: string) => string
  isOurs: IsOurs
  /** Returns whether a domain accepts mail. */
  takesMail: (domain: string) => Promise<boolean>
  /**
   * Whether to accept a sender about whom the DNS gives no answer. Only true if forwarded messages go to the outbox.
   */
  acceptsUnknownSenders: boolean
}

/**
 * The returned function rejects if a later attempt may succeed, and with `SealError` if the message was sealed with
 * another key or for another place.
 */
export function createForwardedMail(deps: ForwardingMailDeps): MakeForwardedMail {
  const { marks, serviceDomains } = deps
  return async (job, forwarding, sealedMail) => {
    const place = messagePlace('forwarding', { addressId: job.addressId, id: job.messageId })
    const { envelope, raw } = unpackBody(deps.opener.open(deps.keys, place, sealedMail))
    const gateOutcome = forbids(raw, deps.limits)
    if (gateOutcome) return gateOutcome
    const { address, destination } = openRoute(deps.wrap, forwarding)
    if ((await deps.isOurs(destination)) || !(await deps.takesMail(domainOf(destination)))) return 'no-mail'

    const stopUrl = deps.stopUrl(forwarding.language, marks.stopToken(forwarding))
    const original = withoutForgedResults(withoutReturnPath(raw), deps.domain)
    const fields = forwardFields({ mark: marks.mark(job.id), destination, address, stopUrl }, original)
    const signing = await deps.signingKey(deps.domain)
    const { authentication, head } = await deps.reader.forward(original, envelope, { fields, signing, serviceDomains })
    if (authentication.dmarc === 'fail') return 'dmarc'
    if (authentication.dmarc === 'temperror' && !deps.acceptsUnknownSenders) return 'unknown-sender'
    return {
      name: `forward-${job.id}`,
      from: `${deps.returnPaths.encode(job.id, deps.clock())}@${deps.domain}`,
      to: destination,
      // The head may be empty if the sender is unknown.
      raw: Buffer.concat([head.length > 0 ? head : Buffer.from(fields), original]),
    }
  }
}

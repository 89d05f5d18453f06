import { MayflyError } from '#core/errors.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import { SECOND } from '#core/time.ts'
import type { ForwardingReports } from '#features/forwarding/index.ts'
import { type AcceptedRecipient, jobIdsOf } from './accepted-recipient.ts'
import type { OperatorMail } from './operator-room.ts'

/** How long a report waits to be read, in milliseconds. Then its sender retries. */
const PATIENCE = 20 * SECOND

/**
 * Whether a message to the operator mailbox may be a report: complaints are sent to abuse@ (RFC 2142 and RFC 5965). The
 * forms of the site use other shares of that mailbox.
 */
export const mayBeReport = ({ share }: OperatorMail): boolean => share === 'abuse' || share === 'postmaster'

/**
 * Reads a message as a report about forwarded messages if its recipients can receive reports. Rejects with
 * `unavailable` if it can't be read soon, and with the reason of `signal` if that aborts before.
 */
export async function readReports(
  forwardingReports: Pick<ForwardingReports, 'read'>,
  recipients: readonly AcceptedRecipient[],
  mail: Uint8Array,
  { clientAddress }: Pick<Envelope, 'clientAddress'>,
  signal?: AbortSignal,
): Promise<void> {
  const jobIds = jobIdsOf(recipients)
  const toOperator = recipients.some(({ operator }) => operator && mayBeReport(operator))
  if (jobIds.length === 0 && !toOperator) return
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(new MayflyError('unavailable')), PATIENCE)
  try {
    const signals = signal ? [signal, patience.signal] : [patience.signal]
    await forwardingReports.read(mail, jobIds, { clientAddress, signal: AbortSignal.any(signals) })
  } finally {
    clearTimeout(timer)
  }
}

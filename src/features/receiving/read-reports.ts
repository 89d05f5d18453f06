import type { ForwardingReports } from '#features/forwarding/index.ts'
import { type AcceptedRecipient, jobIdsOf } from './accepted-recipient.ts'

/** Reads a message as a report about forwarded messages if its recipients can receive reports. */
export async function readReports(
  forwardingReports: Pick<ForwardingReports, 'read'>,
  recipients: readonly AcceptedRecipient[],
  mail: Uint8Array,
): Promise<void> {
  const jobIds = jobIdsOf(recipients)
  // RFC 2142 and RFC 5965: complaints are sent to abuse@.
  const toOperator = recipients.some(({ row }) => row?.lifetime === 'operator')
  if (jobIds.length > 0 || toOperator) await forwardingReports.read(mail, jobIds)
}

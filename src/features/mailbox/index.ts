/**
 * Addresses and their messages: creating and opening an address, replacing its secret, listing and reading messages,
 * making their summaries, and removing what has expired.
 */
export {
  type AddressName,
  type AddressNames,
  createAddressNames,
  ownNameKey,
  type WantedName,
} from './address-names.ts'
export { type Addresses, type AddressRequest, type AddressView, createAddresses } from './addresses.ts'
export {
  type Claims,
  createClaims,
  type OpenAddress,
  type OpenedAddress,
  type PublicKeys,
  type CreatedPrivateAddress,
} from './claims.ts'
export { createDeliveries, type Deliveries, type DeliveriesView } from './deliveries.ts'
export { createDeliveryLog, type DeliveryLog, type FailedAttempt } from './delivery-log.ts'
export { createFaults, type Faults, readFaults } from './faults.ts'
export {
  type FrameRequest,
  MAIL_CSP,
  mailFrame,
  type MailFrame,
  measureFrame,
  pdfFrame,
  privateFrame,
} from './mail-frame.ts'
export { type CheckMessage, type CheckOptions, createMessageChecks } from './message-checks.ts'
export { createMessageRows } from './message-rows.ts'
export { type MessagePage, TEXTS_TIME } from './message-search.ts'
export { createMessages, type ListedMessage, type Messages } from './messages.ts'
export { createReadings } from './readings.ts'
export { createRemoteContent, type RemoteContent, type RemoteUrlQuery } from './remote-content.ts'
export { createSweep } from './sweep.ts'
export { createSecrets, type Secrets } from './secrets.ts'
export { createSenderChecks } from './sender-checks.ts'
export type { SummarizedMessage, WebhookAnnouncer } from './summarized-message.ts'
export { createSummaries, type Summaries } from './summaries.ts'
export { createUnsubscribe, type UnsubscribeFrom } from './unsubscribe.ts'
export { extendOnVisit, type VisitDeps } from './visits.ts'
export { type EndedWait, explainWait } from './wait-explanation.ts'
export { createWithdrawals, type Withdrawals } from './withdrawals.ts'

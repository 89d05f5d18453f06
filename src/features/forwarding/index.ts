/**
 * Forwarding to another email address: consent, the queue, sending with ARC and SRS, and reading bounces and
 * complaints.
 */
export {
  createForwardings,
  type ForwardingLogPage,
  type Forwardings,
  type ForwardingsView,
  type ForwardingView,
  type ForwardingTransport,
} from './forwarding.ts'
export { type ConsentLink, createForwardingConsent, type ForwardingConsent } from './forwarding-consent.ts'
export { shownDestination, takesMail } from './forwarding-destination.ts'
export { createForwardingFailures } from './forwarding-failures.ts'
export { createForwardedMail } from './forwarding-mail.ts'
export { createForwardingQueue, type ForwardingQueue, noForwardingQueue } from './forwarding-queue.ts'
export { createForwardingReports, type ForwardingReports } from './forwarding-reports.ts'
export { createForwardingSender } from './forwarding-sender.ts'

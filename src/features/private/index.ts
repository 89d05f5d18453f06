/** Fully private addresses: the server stores boxes that only the owner's browser can open. */
export { createPrivateAddresses, type PrivateAddress, type PrivateAddresses } from './private-addresses.ts'
export { createPrivateDeliveries, type PrivateDeliveries, type SealedDeliveries } from './private-deliveries.ts'
export { createPrivateMessages, type PrivateMessages, type SealedMessage, type SealedPage } from './private-messages.ts'

import {
  account,
  accountPayment,
  accountSession,
  eraseRequest,
  portalLink,
  signInLink,
  signInRequest,
} from './account.ts'
import { address, addressRequest, newAddress, sessionRequest } from './addresses.ts'
import { apiKey, apiKeyList, apiKeyRequest, newApiKey } from './api-keys.ts'
import { messageChecks } from './checks.ts'
import { deliveryList, sealedDeliveryList } from './deliveries.ts'
import { domainList } from './domains.ts'
import { faults } from './faults.ts'
import {
  forwarding,
  forwardingChange,
  forwardingList,
  forwardingLog,
  forwardingLogEntry,
  forwardingRequest,
} from './forwarding.ts'
import { keptAddress, keptAddressChange, keptAddressList, keptAddressRequest } from './kept-addresses.ts'
import { message, messageIds, messageList, messagesOfAddress, messageSummary, waitExplanation } from './messages.ts'
import { money, newOrder, order, orderRequest, sandboxRequest } from './orders.ts'
import { dnsRecord, ownDomain, ownDomainChange, ownDomainList, ownDomainRequest } from './own-domains.ts'
import {
  privateAddressRequest,
  proxiedUrls,
  remoteUrls,
  sealedMessage,
  sealedMessageList,
} from './private-addresses.ts'
import { problem } from './problems.ts'
import { pushRequest, pushState, pushSubscription } from './push.ts'
import { supportRequest } from './support.ts'
import { newWebhook, webhook, webhookEvent, webhookList, webhookRequest, webhookTest } from './webhooks.ts'

/** Schemas with a name in openapi.json, to which routes refer. */
export const sharedSchemas = [
  account,
  accountPayment,
  accountSession,
  address,
  addressRequest,
  sessionRequest,
  apiKey,
  apiKeyList,
  apiKeyRequest,
  deliveryList,
  dnsRecord,
  domainList,
  faults,
  eraseRequest,
  forwarding,
  forwardingChange,
  forwardingList,
  forwardingLog,
  forwardingLogEntry,
  forwardingRequest,
  keptAddress,
  keptAddressChange,
  keptAddressList,
  keptAddressRequest,
  message,
  messageChecks,
  messageIds,
  messagesOfAddress,
  messageList,
  messageSummary,
  waitExplanation,
  money,
  newAddress,
  newOrder,
  order,
  orderRequest,
  newApiKey,
  newWebhook,
  ownDomain,
  ownDomainChange,
  ownDomainList,
  ownDomainRequest,
  portalLink,
  privateAddressRequest,
  problem,
  sandboxRequest,
  pushRequest,
  pushState,
  pushSubscription,
  proxiedUrls,
  remoteUrls,
  sealedDeliveryList,
  sealedMessage,
  sealedMessageList,
  signInLink,
  signInRequest,
  supportRequest,
  webhook,
  webhookEvent,
  webhookList,
  webhookRequest,
  webhookTest,
]

import { address, addressRequest, newAddress } from './addresses.ts'
import { domainList } from './domains.ts'
import { message, messageList, messageSummary } from './messages.ts'
import { problem } from './problems.ts'
import { supportRequest } from './support.ts'

/** Schemas with a name of their own in openapi.json; routes refer to them by it. */
export const sharedSchemas = [
  address,
  addressRequest,
  domainList,
  message,
  messageList,
  messageSummary,
  newAddress,
  problem,
  supportRequest,
]

import { type Static, Type } from 'typebox'
import { DELIVERIES_KEPT, DELIVERY_RESULTS } from '#core/mailbox/delivery.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const listStart = time('Start of the list: when this address was created, or when the oldest kept entries expire')

const delivery = Type.Object({
  at: time('When it happened. Of several identical attempts, the last.'),
  firstAt: time('The first of the identical attempts'),
  count: Type.Integer({ minimum: 1, description: 'How many identical attempts there were' }),
  result: Type.Enum([...DELIVERY_RESULTS], {
    description:
      '`received`: in the inbox. `deleted`: received, and deleted by you; only the time is known. `too-large`, `full`: refused because of its size, or because the mailbox was full. ' +
      '`deferred`: the server was asked to try again later. `refused`: refused for another reason, see `reply`. `interrupted`: the connection ended during the transfer. ' +
      '`unsent`: the server named the address as the recipient and then sent nothing',
  }),
  reply: textOrNull(
    'The SMTP reply to the sending server; null if it got none, or if many senders are counted together',
  ),
  server: Type.Union(
    [
      Type.Object({
        name: textOrNull('The name that it sent in EHLO or HELO, which is not verified'),
        network: Type.String({ description: 'The network of its IP address: an IPv4 /24 or an IPv6 /48' }),
      }),
      Type.Null(),
    ],
    { description: 'The sending server; null if it is not known' },
  ),
  senderDomain: textOrNull('The domain of the envelope sender, which is not verified; null for a bounce'),
  verifiedDomain: textOrNull('The domain that DMARC or SPF confirmed as the sender; null if none was confirmed'),
  size: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Bytes, as received or else as declared; null if unknown',
  }),
  messageId: textOrNull('The `id` of the message; null if there is none'),
})
/** What the explanation of a wait says about an attempt without a message. */
export const refusedDelivery = Type.Pick(delivery, ['at', 'count', 'result', 'reply', 'server', 'senderDomain', 'size'])
export type DeliveryJson = Static<typeof delivery>

export const deliveryList = Type.Object(
  {
    since: listStart,
    deliveries: Type.Array(delivery, { description: `The last ${DELIVERIES_KEPT}, newest first` }),
  },
  { $id: 'DeliveryList', description: 'Deliveries to an address' },
)
export type DeliveryListJson = Static<typeof deliveryList>

export const sealedDeliveryList = Type.Object(
  {
    since: listStart,
    failed: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The id of the delivery' }),
        sealed: Type.String({ description: 'The sealed delivery in Base64url' }),
      }),
      { description: 'Deliveries that left no message' },
    ),
    deleted: Type.Array(Type.String({ format: 'date-time' }), {
      description: 'When the messages arrived that were deleted',
    }),
  },
  { $id: 'SealedDeliveryList', description: 'Deliveries that only the browser can open' },
)
export type SealedDeliveryListJson = Static<typeof sealedDeliveryList>

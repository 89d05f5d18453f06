import type { DeliveryListJson, SealedDeliveryListJson } from '#contract/deliveries.ts'
import type { MessageSummaryJson } from '#contract/messages.ts'
import {
  deletedDelivery,
  failedDelivery,
  type FailedDelivery,
  lastDeliveries,
  receivedDelivery,
} from '#core/mailbox/delivery.ts'
import type { Origin } from '#core/mailbox/message.ts'
import { fromBase64, toUtf8 } from '#mail/bytes.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { open } from './box.ts'
import type { PrivateKeys } from './keys.ts'

/** A message of the inbox. Its stored summary says where it came from. */
export type PrivateMessage = MessageSummaryJson & { origin?: Origin | undefined }

const time = (at: number): string => new Date(at).toISOString()

/** Returns the deliveries to a fully private address: the failed ones opened, together with the received messages. */
export async function openDeliveries(
  addressId: string,
  keys: PrivateKeys,
  { since, failed, deleted }: SealedDeliveryListJson,
  messages: readonly PrivateMessage[],
): Promise<DeliveryListJson> {
  async function openOne({ id, sealed }: SealedDeliveryListJson['failed'][number]): Promise<FailedDelivery[]> {
    try {
      const plaintext = await open(keys, messagePlace('delivery', { addressId, id }), fromBase64(sealed))
      const delivery = JSON.parse(toUtf8(plaintext)) as FailedDelivery
      // An address that was created again does not show what happened before.
      return delivery.at < Date.parse(since) ? [] : [delivery]
    } catch {
      return []
    }
  }
  const opened = (await Promise.all(failed.map(openOne))).flat()
  const deliveries = lastDeliveries([
    ...messages.map((message) => receivedDelivery({ ...message, receivedAt: Date.parse(message.receivedAt) })),
    ...opened.map(failedDelivery),
    ...deleted.map((at) => deletedDelivery(Date.parse(at))),
  ])
  return { since, deliveries: deliveries.map((each) => ({ ...each, at: time(each.at), firstAt: time(each.firstAt) })) }
}

import { MayflyError } from '#core/errors.ts'
import type { MessageId } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { SealItem } from '#core/mailbox/box.ts'
import type { Sealer } from '#core/mailbox/mail-reader.ts'
import type { NewMessageId } from '#core/mailbox/message-id.ts'
import type { AppendOutcome, NewMessage } from '#core/mailbox/message-store.ts'
import { freeBytes } from '#core/memory-budget.ts'
import type { Store } from '#core/store.ts'
import type { ForwardingQueue } from '#features/forwarding/index.ts'
import { grouped } from '#lib/group-commit.ts'
import { messagePlace } from '#mail/sealing/place.ts'

/** A new message without the fields that depend on its id. */
export type MessageDraft = Omit<NewMessage, 'id' | 'sealedBody' | 'forwarding'>

export interface KeptMessage {
  outcome: Exclude<AppendOutcome, object>
  message: NewMessage
}

export interface KeepMessageDeps {
  store: Pick<Store, 'messages'>
  sealer: Pick<Sealer, 'seal'>
  newMessageId: NewMessageId
  forwardingQueue: Pick<ForwardingQueue, 'active' | 'queued'>
  /** The limits of a group of messages that are sealed together or stored in one transaction. */
  group: { maxMessages: number; maxBytes: number }
}

/** With two groups at once, the next group is ready when a thread has finished one. */
const GROUPS_AT_ONCE = 2
/** The maximum number of ids that a message gets because later messages were stored first. */
const MAX_ATTEMPTS = 10

/** Returns a function that seals and stores a message. Concurrent calls are sealed and stored in groups. */
export function createKeepMessage({ store, sealer, newMessageId, forwardingQueue, group }: KeepMessageDeps) {
  const { maxMessages: maxItems, maxBytes: maxWeight } = group
  const seal = grouped<SealItem, Uint8Array>((items) => sealer.seal(items), {
    maxItems,
    maxWeight,
    weigh: ({ plaintext }) => plaintext.length,
    atOnce: GROUPS_AT_ONCE,
  })
  const append = grouped<NewMessage, AppendOutcome>((messages) => store.messages.append(messages), {
    maxItems,
    maxWeight,
    weigh: ({ sealedBody }) => sealedBody.length,
    atOnce: GROUPS_AT_ONCE,
  })

  /**
   * Stores a message in the mailbox of `recipient`. `pack` makes its body (`packBody`), which is freed after sealing. A
   * message that `mayBeRetracted` is forwarded after `ForwardingQueue.release`. Rejects if the store or the sealer fails,
   * and with `store_unavailable` if later messages were stored first at every attempt.
   */
  return async (
    draft: MessageDraft,
    recipient: RecipientRow,
    pack: () => Uint8Array,
    options: { mayBeRetracted: boolean },
  ): Promise<KeptMessage> => {
    const active = await forwardingQueue.active(recipient)
    let behind: { after: MessageId; ahead: number } | undefined
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const plaintext = pack()
      // The id is made right before the message is queued for sealing, so that messages are sealed and stored in the
      // order of ids.
      const key = { addressId: draft.addressId, id: newMessageId(behind) }
      const [forwarding, sealedBody] = await Promise.all([
        forwardingQueue.queued(active, key, plaintext, options),
        seal({ publicKey: recipient.publicKey, place: messagePlace('body', key), plaintext }),
      ])
      freeBytes(plaintext)
      const message: NewMessage = { ...draft, ...key, sealedBody, forwarding }
      const outcome = await append(message)
      freeBytes(sealedBody)
      if (typeof outcome === 'string') return { outcome, message }
      // Each attempt goes further ahead. Another node may have many messages for this inbox and a clock that is ahead.
      behind = { after: outcome.after, ahead: 2 ** attempt - 1 }
    }
    throw new MayflyError('store_unavailable')
  }
}

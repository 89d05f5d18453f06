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

/** A message but for what depends on its id. */
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
  /** A group of messages that are sealed together, or share one transaction, has at most so many of them and so many bytes. */
  group: { maxMessages: number; maxBytes: number }
}

/** While a thread works on one group the next one is on its way to it. */
const GROUPS_AT_ONCE = 2
/** How often a message gets another id because a later one was faster. */
const LATE_MAX = 10

/** Seals messages and keeps them, many at a time. */
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
   * Keeps a message in the mailbox of `recipient`. `pack`: makes its body (`packBody`), whose memory is freed here. Rejects where
   * the store or the sealer fails, and with `store_unavailable` where later messages were faster each time.
   */
  return async (draft: MessageDraft, recipient: RecipientRow, pack: () => Uint8Array): Promise<KeptMessage> => {
    const active = await forwardingQueue.active(recipient)
    let behind: { after: MessageId; ahead: number } | undefined
    for (let attempt = 0; attempt < LATE_MAX; attempt++) {
      const plaintext = pack()
      // Right before it gets in line to be sealed: messages are sealed, and kept, in the order of their ids.
      const key = { addressId: draft.addressId, id: newMessageId(behind) }
      const [forwarding, sealedBody] = await Promise.all([
        forwardingQueue.queued(active, key, plaintext),
        seal({ publicKey: recipient.publicKey, place: messagePlace('body', key), plaintext }),
      ])
      freeBytes(plaintext)
      const message: NewMessage = { ...draft, ...key, sealedBody, forwarding }
      const outcome = await append(message)
      freeBytes(sealedBody)
      if (typeof outcome === 'string') return { outcome, message }
      // Farther ahead each time: another node may have many messages for this inbox, and a clock that is fast.
      behind = { after: outcome.after, ahead: 2 ** attempt - 1 }
    }
    throw new MayflyError('store_unavailable')
  }
}

import type { Lifetime } from '#core/mailbox/lifetime.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import type { Summaries } from '#features/mailbox/index.ts'
import { packBody } from '#mail/sealing/body.ts'
import type { RecipientMailbox } from './accepted-recipient.ts'
import { createKeepMessage, type KeepMessageDeps, type KeptMessage, type MessageDraft } from './keep-message.ts'
import type { OperatorMail, OperatorRoom } from './operator-room.ts'
import type { StorageRoom } from './storage-room.ts'

/** A message on its way to one or several mailboxes. */
export interface IncomingMessage {
  envelope: Omit<Envelope, 'recipient' | 'recipients'>
  /** The raw message with its Return-Path. */
  raw: Uint8Array
  /** The bytes that count against storage limits. The Return-Path does not count. */
  size: number
  /**
   * Whether only one mailbox receives the message. Otherwise it may exceed the storage limit of a mailbox, except of the
   * operator's: if it were refused for one, the sender would retry for all.
   */
  hasOneMailbox: boolean
}

export interface KeptCopy extends KeptMessage {
  /** Starts the summary of a stored copy and notifies its owner. Called when the whole message is accepted. */
  announce(): void
}

/** Stores a copy in a mailbox. Rejects if the message cannot be stored. */
type KeepInMailbox = (mailbox: RecipientMailbox, message: IncomingMessage) => Promise<KeptCopy>

export interface KeepInMailboxDeps extends KeepMessageDeps {
  summaries: Pick<Summaries, 'prepare'>
  /** Called for each stored message of an address that browsers want to be told of. Never rejects. */
  onKept(message: KeptMessage['message']): Promise<void>
  storageRoom: StorageRoom
  operatorRoom: Pick<OperatorRoom, 'take' | 'settle' | 'networkOf'>
  /** How long messages are kept, in milliseconds, by the lifetime of their address. */
  retention: Record<Lifetime, number>
}

export function createKeepInMailbox(deps: KeepInMailboxDeps): KeepInMailbox {
  const { summaries, storageRoom, operatorRoom, retention } = deps
  const keepMessage = createKeepMessage(deps)

  async function limitOf({ row, operator }: RecipientMailbox, hasOneMailbox: boolean): Promise<number> {
    // The operator mailbox has its own limits. The limit of a subscription does not include concurrent messages to its
    // other addresses.
    return hasOneMailbox && !operator ? storageRoom(row) : Number.MAX_SAFE_INTEGER
  }

  async function inOperatorRoom(
    operator: OperatorMail,
    { size }: IncomingMessage,
    keep: () => Promise<KeptMessage>,
  ): Promise<KeptMessage> {
    await operatorRoom.take(operator, size)
    let kept: KeptMessage | undefined
    try {
      kept = await keep()
      return kept
    } finally {
      operatorRoom.settle(operator, size, kept?.outcome === 'stored')
    }
  }

  return async (mailbox, message) => {
    const { recipient, recipients, row, operator } = mailbox
    const envelope: Envelope = { ...message.envelope, recipient, ...(recipients.length > 1 && { recipients }) }
    const draft: MessageDraft = {
      addressId: row.id,
      receivedAt: envelope.receivedAt,
      expiresAt: envelope.receivedAt + retention[row.lifetime],
      size: message.size,
      limitBytes: await limitOf(mailbox, message.hasOneMailbox),
      share: operator?.share,
      network: operator && operatorRoom.networkOf(operator),
    }
    const keep = (): Promise<KeptMessage> =>
      keepMessage(draft, row, () => packBody(envelope, message.raw), { mayBeRetracted: !message.hasOneMailbox })
    const kept = await (operator ? inOperatorRoom(operator, message, keep) : keep())
    return {
      ...kept,
      announce() {
        if (kept.outcome !== 'stored') return
        summaries.prepare(kept.message, row, envelope, message.raw)
        // Not waited for: it must not delay the reply to the sender.
        if (row.pushes) void deps.onKept(kept.message)
      },
    }
  }
}

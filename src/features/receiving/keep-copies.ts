import type { Envelope } from '#core/mailbox/message.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import type { Store } from '#core/store.ts'
import { SECOND } from '#core/time.ts'
import type { ForwardingQueue } from '#features/forwarding/index.ts'
import { inChunks } from '#lib/batches.ts'
import type { RecipientMailbox } from './accepted-recipient.ts'
import { createKeepInMailbox, type IncomingMessage, type KeepInMailboxDeps, type KeptCopy } from './keep-in-mailbox.ts'
import type { KeptMessage } from './keep-message.ts'

/**
 * Stores a copy of a message in each mailbox and returns the outcomes. Rejects, and removes the copies already stored,
 * if a copy cannot be stored, or if `signal` has aborted when it needs memory for the next copies.
 */
type KeepCopies = (
  envelope: Omit<Envelope, 'recipient' | 'recipients'>,
  mailboxes: readonly RecipientMailbox[],
  mail: Uint8Array,
  signal?: AbortSignal,
) => Promise<KeptMessage['outcome'][]>

export interface KeepCopiesDeps extends KeepInMailboxDeps {
  store: Pick<Store, 'messages'>
  forwardingQueue: Pick<ForwardingQueue, 'active' | 'queued' | 'release'>
  memory: Pick<MemoryBudget, 'lend'>
}

/**
 * The maximum size of a message times the number of mailboxes for which it is sealed at once. It is a small part of the
 * memory, so that a message to many mailboxes leaves room for others.
 */
const MAX_BYTES_AT_ONCE = 2 * 1024 * 1024

/** How long a complete message waits for memory, in milliseconds. Then its sender retries. */
const MEMORY_PATIENCE = 20 * SECOND

/** Copies of a message in memory for each mailbox: packed, for the sealer, compressed, sealed, and for the writer. */
const COPIES = 5

export function createKeepCopies(deps: KeepCopiesDeps): KeepCopies {
  const { store, forwardingQueue, memory } = deps
  const keepInMailbox = createKeepInMailbox(deps)

  return async (envelope, mailboxes, mail, signal) => {
    const returnPath = Buffer.from(`Return-Path: <${envelope.mailFrom}>\r\n`)
    const bytes = returnPath.length + mail.length
    let made: IncomingMessage | undefined
    const message = (): IncomingMessage =>
      (made ??= {
        envelope,
        raw: Buffer.concat([returnPath, mail], bytes),
        size: mail.length,
        hasOneMailbox: mailboxes.length === 1,
      })
    const atOnce = Math.max(1, Math.floor(MAX_BYTES_AT_ONCE / bytes))
    const all: KeptCopy[] = []

    /** Waits for the memory of the copies. Adds what it stored to `all`, even if it rejects. */
    async function keepSome(some: readonly RecipientMailbox[]): Promise<void> {
      // Nothing else is lent meanwhile, so two messages never wait for each other.
      const giveBack = await memory.lend(bytes * (1 + some.length * COPIES), { signal, patience: MEMORY_PATIENCE })
      try {
        const settled = await Promise.allSettled(some.map((mailbox) => keepInMailbox(mailbox, message())))
        all.push(...settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
        const failure = settled.find((each) => each.status === 'rejected')
        if (failure) throw failure.reason
      } finally {
        giveBack()
      }
    }

    try {
      for (const some of inChunks(mailboxes, atOnce)) await keepSome(some)
    } catch (error) {
      // The sender will retry for all recipients.
      await store.messages.retract(storedOf(all)).catch(() => {})
      throw error
    }
    for (const copy of all) copy.announce()
    const forwarded = storedOf(all).filter(({ forwarding }) => forwarding !== undefined)
    // Not waited for: it must not delay the reply to the sender.
    if (forwarded.length > 0) void forwardingQueue.release(forwarded)
    return all.map(({ outcome }) => outcome)
  }
}

const storedOf = (all: readonly KeptMessage[]): KeptMessage['message'][] =>
  all.filter(({ outcome }) => outcome === 'stored').map(({ message }) => message)

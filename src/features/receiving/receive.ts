import { MayflyError, smtpReply } from '#core/errors.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import { failureOf } from '#core/mailbox/delivery.ts'
import type { Lifetime } from '#core/mailbox/lifetime.ts'
import { recipientLogin } from '#core/mailbox/login.ts'
import type { OperatorShare } from '#core/mailbox/message-store.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import type { ForwardingReports } from '#features/forwarding/index.ts'
import type { DeliveryLog, FailedAttempt } from '#features/mailbox/index.ts'
import { createMac } from '#mail/forwarding/mac.ts'
import { type AcceptedMailbox, type AcceptedRecipient, mailboxesOf } from './accepted-recipient.ts'
import type { DelaySource, FaultyRow, FaultInjector } from './fault-injector.ts'
import { createRecipientFinder, type FindRecipientDeps } from './find-recipient.ts'
import { createKeepCopies, type KeepCopiesDeps } from './keep-copies.ts'
import { createOperatorRoom } from './operator-room.ts'
import { mayBeReport, readReports } from './read-reports.ts'
import { createStorageRoom, type StorageRoomDeps } from './storage-room.ts'

/** The origin of a message, for the limits of the operator mailbox. */
interface MailSource extends DelaySource {
  /** The share of the operator mailbox that the message uses. Default: it depends on the recipient. */
  share?: OperatorShare
  /**
   * Whether the transaction has other recipients already, or some that were refused by a fault. The faults of this one, and
   * an operator mailbox that is full, must not affect others.
   */
  shared?: boolean
  /** The attempt to deliver that this is part of. Its failure is shown to the owner of the address. */
  attempt?: Pick<FailedAttempt, 'envelope' | 'size'>
}

export interface Receive {
  /**
   * RCPT TO. Throws `recipient_unknown`, `recipient_unread`, `relay_denied`, `mailbox_full` or `store_unavailable`.
   */
  accept(recipient: string, source?: MailSource): Promise<AcceptedRecipient>
  /**
   * The end of DATA. Resolves when the message is durable in every mailbox and its reports are applied. The 250 must
   * not be sent before that. `raw` has its Received field. Return-Path is added here. Throws `mailbox_full`,
   * `disk_full` (also if memory stays short), `recipient_unknown`, `store_unavailable`, or `unavailable` if a report can't
   * be read soon. If `signal` aborts while the message waits for the reader or for memory, nothing is stored and its reason is
   * thrown.
   */
  deliver(
    envelope: Omit<Envelope, 'recipient' | 'recipients'>,
    recipients: readonly AcceptedRecipient[],
    raw: Uint8Array,
    signal?: AbortSignal,
  ): Promise<void>
  /**
   * Waits before the message is transferred if the only recipient has faults that delay it. Returns undefined if there
   * is nothing to wait for. Rejects with `SmtpRefusal` if too many sessions wait.
   */
  delay(recipients: readonly AcceptedRecipient[], source: DelaySource): Promise<void> | undefined
  /** Records why accepted recipients do not get a message. Never waits. */
  failed(recipients: readonly AcceptedRecipient[], attempt: FailedAttempt): void
}

export interface ReceiveDeps
  extends FindRecipientDeps, StorageRoomDeps, Omit<KeepCopiesDeps, 'storageRoom' | 'operatorRoom'> {
  store: Store
  forwardingReports: ForwardingReports
  /** The maximum size of a message in bytes, by the lifetime of its address. */
  maxMessageBytes: Record<Lifetime, number>
  deliveryLog: Pick<DeliveryLog, 'note'>
  faultInjector: FaultInjector
  logger: Logger
}

/**
 * How a message is received:
 * 1. `accept` finds the recipient (`find-recipient.ts`) and checks its room (`storage-room.ts`, `operator-room.ts`).
 * 2. `deliver` reads reports about forwarded messages (`read-reports.ts`) and stores a copy in each mailbox
 *    (`keep-copies.ts`, `keep-in-mailbox.ts`, `keep-message.ts`).
 */
export function createReceive(deps: ReceiveDeps): Receive {
  const { store, clock, maxMessageBytes, faultInjector } = deps
  const recipients = createRecipientFinder(deps)
  const storageRoom = createStorageRoom(deps)
  const networks = createMac(deps.serviceKey, 'operator mail network', NETWORK_BYTES)
  const operatorRoom = createOperatorRoom({
    store: store.messages,
    clock,
    mailbox: async () => (await recipients.operatorMailbox())?.id,
    limit: deps.storageBytes.operator,
    logger: deps.logger,
    hash: (network) => networks.of(network),
  })
  const keepCopies = createKeepCopies({ ...deps, storageRoom, operatorRoom })

  const freeBytesOf = async (row: RecipientRow): Promise<number> => (await storageRoom(row)) - row.usedBytes

  /**
   * Refuses a message that does not fit before it needs memory and is sealed. A mailbox that had no room for it at RCPT may
   * have been emptied since.
   */
  async function requireRoom({ row, operator, freeBytes = Infinity }: AcceptedMailbox, bytes: number): Promise<void> {
    if (operator) return operatorRoom.check(operator, bytes)
    if (freeBytes >= bytes) return
    const present = await store.addresses.find(row.id, clock())
    if (present && (await freeBytesOf(present)) < bytes) throw new MayflyError('mailbox_full')
  }

  return {
    async accept(recipient, { from, signal, share, shared = false, attempt } = {}) {
      const found = await recipients.find(recipient, attempt?.envelope.mailFrom)
      if (!found) throw new MayflyError('recipient_unknown')
      if (!found.row) return { recipient, jobId: found.jobId, maxBytes: maxMessageBytes.day }
      const { row } = found
      const maxBytes = maxMessageBytes[row.lifetime]
      // RFC 1870 6.1: a message whose declared size does not fit is refused before it is sent.
      const declared = attempt?.size ? attempt.size + TRACE_BYTES : 1
      if (row.lifetime === 'operator') {
        const operator = { share: share ?? shareOf(recipient), from }
        try {
          await operatorRoom.check(operator, declared)
        } catch (error) {
          // A report is read even if there is no room for a copy of it. Other recipients would then not get theirs.
          if (shared || !mayBeReport(operator)) throw error
          return { recipient, row, operator, isFull: true, maxBytes }
        }
        return { recipient, row, operator, maxBytes }
      }
      const freeBytes = await freeBytesOf(row)
      try {
        if (freeBytes < declared) throw new MayflyError('mailbox_full')
        if (row.sealedFaults !== null) {
          if (!shared) await faultInjector.delay(row, 'rcpt', { from, signal })
          faultInjector.refuse(row, 'rcpt', shared)
        }
      } catch (error) {
        const reply = smtpReply(error)
        if (attempt) deps.deliveryLog.note(row, { ...attempt, reply: reply || null, result: failureOf(reply) })
        throw error
      }
      return { recipient, row, freeBytes, maxBytes }
    },

    failed(accepted, attempt) {
      for (const { row } of mailboxesOf(accepted)) deps.deliveryLog.note(row, attempt)
    },

    delay(accepted, source) {
      const row = faultyRow(accepted)
      return row && faultInjector.delay(row, 'data', source)
    },

    async deliver(envelope, accepted, mail, signal) {
      const faulty = faultyRow(accepted)
      if (faulty) faultInjector.refuse(faulty, 'data')
      // Reports come first. Reading one again is harmless if a later step fails and the client retries.
      await readReports(deps.forwardingReports, accepted, mail, envelope, signal)
      const mailboxes = mailboxesOf(accepted)
      for (const each of mailboxes) if (each.operator || mailboxes.length === 1) await requireRoom(each, mail.length)
      const outcomes = await keepCopies(envelope, mailboxes, mail, signal)
      // Return paths do not make up for a mailbox that got nothing: nobody would know that the message is lost.
      if (outcomes.includes('stored') || mailboxes.length === 0) return
      throw new MayflyError(outcomes.includes('full') ? 'mailbox_full' : 'recipient_unknown')
    },
  }
}

/** The hash of a network, in bytes. */
const NETWORK_BYTES = 12
/** Room for the trace header, which a declared size does not include. A longer one only means a later refusal. */
const TRACE_BYTES = 300

/** A message to several mailboxes has no faults, because its reply is the same for all of them. */
function faultyRow(recipients: readonly AcceptedRecipient[]): FaultyRow | undefined {
  const [{ row } = {}, ...others] = mailboxesOf(recipients)
  const isAlone = others.length === 0 && recipients.every((each) => each.row !== undefined)
  return row && row.sealedFaults !== null && isAlone ? row : undefined
}

/** Returns the share of the operator mailbox that a message to one of its names uses. */
const shareOf = (recipient: string): OperatorShare =>
  recipientLogin(recipient.replace(/@[^@]*$/, '')) === 'abuse' ? 'abuse' : 'postmaster'

import { domainToASCII } from 'node:url'
import { MayflyError } from '#core/errors.ts'
import type { NameKey } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import type { Lifetime } from '#core/mailbox/lifetime.ts'
import { recipientLogin } from '#core/mailbox/login.ts'
import type { Sealer } from '#core/mailbox/mail-reader.ts'
import type { NewMessageId } from '#core/mailbox/message-id.ts'
import type { NewMessage, OperatorShare } from '#core/mailbox/message-store.ts'
import type { Envelope } from '#core/mailbox/message.ts'
import { OPERATOR_LOGINS } from '#core/mailbox/reserved.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import type { Store } from '#core/store.ts'
import type { Clock } from '#core/time.ts'
import type { ForwardingQueue, ForwardingReports } from '#features/forwarding/index.ts'
import { type Summaries, ownNameKey } from '#features/mailbox/index.ts'
import type { DomainRecipient, DomainRecipients } from '#features/own-domains/index.ts'
import { grouped } from '#lib/group-commit.ts'
import { packBody } from '#mail/sealing/body.ts'
import { nameKey } from '#mail/sealing/keys.ts'
import { createKeepMessage, type KeptMessage, type MessageDraft } from './keep-message.ts'
import { OPERATOR_NAME } from './operator-mailbox.ts'
import { createOperatorRoom, type OperatorMail, type OperatorRoom } from './operator-room.ts'

interface Accepted {
  /** As the sender wrote it, without angle brackets. */
  recipient: string
  /** The largest mail that it takes. */
  maxBytes: number
}

/** One whose mail is kept. */
export interface AcceptedMailbox extends Accepted {
  row: RecipientRow
  /** Set where it is the operator's mailbox. */
  operator?: OperatorMail | undefined
}

/** Who is behind a mail, as far as limits care. */
export interface MailSource {
  /** The IP address; undefined where nothing is known of it. */
  from?: string | undefined
  /** Which part of the operator's mailbox it fills; undefined: what the recipient says. */
  share?: OperatorShare
}

/** The envelope sender of a mail that was forwarded: what comes to it is read for what it reports, and not kept. */
export interface AcceptedReturnPath extends Accepted {
  row?: undefined
  jobId: string
}

/** A recipient that RCPT TO accepted. */
export type AcceptedRecipient = AcceptedMailbox | AcceptedReturnPath

/** Whether two names are one recipient's. */
export const isSameRecipient = (one: AcceptedRecipient, other: AcceptedRecipient): boolean =>
  one.row ? one.row.id === other.row?.id : !other.row && one.jobId === other.jobId

export interface Receive {
  /** At RCPT TO. Throws `recipient_unknown`, `relay_denied`, `mailbox_full`, `store_unavailable`. */
  accept(recipient: string, source?: MailSource): Promise<AcceptedRecipient>
  /**
   * At the end of DATA. Resolves when the mail is durable for every mailbox, and what it reports to others is done: only then may
   * the 250 leave.
   * `raw` has its Received header; Return-Path is added here. Throws `mailbox_full`, `disk_full`, `store_unavailable`.
   */
  deliver(
    envelope: Omit<Envelope, 'recipient'>,
    recipients: readonly AcceptedRecipient[],
    raw: Uint8Array,
  ): Promise<void>
}

export interface ReceiveDeps {
  store: Store
  sealer: Sealer
  summaries: Summaries
  clock: Clock
  newMessageId: NewMessageId
  serviceKey: Uint8Array
  domains: readonly Domain[]
  /** Where bounces of forwarded mail come to, besides. */
  forwardDomain: string
  forwardingQueue: ForwardingQueue
  forwardingReports: ForwardingReports
  /** Whose the mail for another domain is. */
  ownDomains: Pick<DomainRecipients, 'recipient'>
  /** Bytes of mail that an address may hold, by its lifetime; those of a subscription hold it together. */
  storageBytes: Record<Lifetime, number>
  /** Bytes of the largest mail, by the lifetime of its address. */
  maxMessageBytes: Record<Lifetime, number>
  /** How long mail is kept, in milliseconds, by the lifetime of its address. */
  retention: Record<Lifetime, number>
  /** A group of messages that are sealed together, or share one transaction, has at most so many of them and so many bytes. */
  group: { maxMessages: number; maxBytes: number }
  memory: MemoryBudget
}

/** Which part of the operator's mailbox a mail to one of its names fills. */
const shareOf = (recipient: string): OperatorShare =>
  recipientLogin(recipient.replace(/@[^@]*$/, '')) === 'abuse' ? 'abuse' : 'postmaster'

const LOOK_UPS_TOGETHER = 200
/** Bytes of one mail, times its recipients, that are sealed at one time: each has a copy of its own. */
const COPIES_MAX_BYTES = 16 * 1024 * 1024
/** Copies of a mail on its way into the store: with its return path, packed, for the sealer, compressed, sealed, for the writer. */
const COPIES = 6
/** While a thread works on one group the next one is on its way to it. */
const GROUPS_AT_ONCE = 2

/** `rates`: what senders have taken, for other nodes to count it too. */
export function createReceive(deps: ReceiveDeps): Receive & Pick<OperatorRoom, 'rates'> {
  const { store, clock, memory, forwardingQueue, forwardingReports } = deps
  const domains = new Set([...deps.domains.map(({ name }) => name), deps.forwardDomain])
  const operatorKey = nameKey(deps.serviceKey, OPERATOR_NAME)

  const lookUp = grouped<NameKey, RecipientRow | undefined>(
    async (keys) => {
      const rows = await store.addresses.findRecipients([...new Set(keys)], clock())
      const byName = new Map(rows.map((row) => [row.nameKey, row]))
      return keys.map((key) => byName.get(key))
    },
    { maxItems: LOOK_UPS_TOGETHER, atOnce: GROUPS_AT_ONCE },
  )
  const keepMessage = createKeepMessage(deps)

  const operatorRoom = createOperatorRoom({
    store: store.messages,
    clock,
    mailbox: async () => (await lookUp(operatorKey))?.id,
    limit: deps.storageBytes.operator,
    retention: deps.retention.operator,
  })

  /** The owner of a domain that isn't ours; throws `relay_denied`. */
  async function ownerOf(domain: string): Promise<DomainRecipient> {
    const owner = domain === '' ? undefined : await deps.ownDomains.recipient(domain)
    if (!owner) throw new MayflyError('relay_denied')
    return owner
  }

  async function underOwnDomain(login: string | undefined, domain: string): Promise<RecipientRow | undefined> {
    const { subscriptionId, catchAll } = await ownerOf(domain)
    if (login === undefined) return undefined
    if (OPERATOR_LOGINS.has(login)) return lookUp(operatorKey)
    const row = await lookUp(ownNameKey(deps.serviceKey, `${login}@${domain}`, subscriptionId))
    if (row || catchAll === null) return row
    const other = await store.addresses.find(catchAll, clock())
    return other?.subscriptionId === subscriptionId ? other : undefined
  }

  /** The mailbox of a recipient; or the job whose return path it is, a string. */
  async function find(recipient: string): Promise<RecipientRow | string | undefined> {
    const at = recipient.lastIndexOf('@')
    const localPart = at === -1 ? recipient : recipient.slice(0, at)
    const login = recipientLogin(localPart)
    // RFC 5321 4.5.1: <Postmaster> without a domain is the one local part that must be taken.
    if (at === -1 && login === 'postmaster') return lookUp(operatorKey)
    const domain = at === -1 ? '' : domainToASCII(recipient.slice(at + 1).replace(/\.$/, ''))
    if (!domains.has(domain)) return underOwnDomain(login, domain)
    if (login === undefined) return undefined
    if (forwardingReports.isReturnPath(localPart)) return forwardingReports.jobOf(localPart)
    return lookUp(OPERATOR_LOGINS.has(login) ? operatorKey : nameKey(deps.serviceKey, `${login}@${domain}`))
  }

  /** Bytes that an address may hold: what the others of its subscription leave it. */
  async function roomOf({ id, lifetime, subscriptionId }: RecipientRow): Promise<number> {
    const limit = deps.storageBytes[lifetime]
    if (lifetime !== 'subscription' || subscriptionId === null) return limit
    return limit - (await store.keptAddresses.usedBytes(subscriptionId, id))
  }

  /** To the operator's mailbox, whose parts have their own limits; `alone`: nobody else gets it, so that it can be refused. */
  async function keepForOperator(
    operator: OperatorMail,
    alone: boolean,
    size: number,
    work: () => Promise<KeptMessage>,
  ): Promise<KeptMessage> {
    await operatorRoom.take(operator, size, !alone)
    let kept: KeptMessage | undefined
    try {
      kept = await work()
      return kept
    } finally {
      operatorRoom.settle(operator, size, kept?.outcome === 'stored')
    }
  }

  /** What the mail says of mails that were forwarded; first of all, since it can be done twice, and a mailbox can't be taken back. */
  async function report(recipients: readonly AcceptedRecipient[], mail: Uint8Array): Promise<void> {
    const jobIds = recipients.flatMap((each) => (each.row ? [] : [each.jobId]))
    // RFC 2142 and RFC 5965: complaints come to abuse@.
    const toOperator = recipients.some(({ row }) => row?.lifetime === 'operator')
    if (jobIds.length > 0 || toOperator) await forwardingReports.read(mail, jobIds)
  }

  /** Keeps a mail in all mailboxes; rejects where not one of them takes it. */
  async function keepFor(
    envelope: Omit<Envelope, 'recipient'>,
    recipients: readonly AcceptedRecipient[],
    mail: Uint8Array,
  ): Promise<void> {
    const raw = Buffer.concat([Buffer.from(`Return-Path: <${envelope.mailFrom}>\r\n`), mail])
    // A retry would reach those who have the mail already, so a mail to several may go over the limit of one of them.
    const accepted = recipients.filter((each) => each.row !== undefined)
    const mailboxes = [...new Map(accepted.map((each) => [each.row.id, each])).values()]
    const alone = mailboxes.length === 1
    const stored: NewMessage[] = []
    let forwarded = false
    const keep = async ({ recipient, row, operator }: AcceptedMailbox): Promise<KeptMessage['outcome']> => {
      const own: Envelope = { ...envelope, recipient }
      const draft: MessageDraft = {
        addressId: row.id,
        receivedAt: envelope.receivedAt,
        expiresAt: envelope.receivedAt + deps.retention[row.lifetime],
        size: mail.length,
        // What comes to the others of a subscription at the same moment is not counted yet.
        limitBytes: alone && !operator ? await roomOf(row) : Number.MAX_SAFE_INTEGER,
        share: operator?.share,
      }
      const work = (): Promise<KeptMessage> => keepMessage(draft, row, () => packBody(own, raw))
      const { outcome, message } = await (operator ? keepForOperator(operator, alone, mail.length, work) : work())
      if (outcome !== 'stored') return outcome
      forwarded ||= message.forwarding !== undefined
      stored.push(message)
      deps.summaries.prepare(message, row, own, raw)
      return outcome
    }
    const together = Math.max(1, Math.floor(COPIES_MAX_BYTES / raw.length))
    const outcomes: KeptMessage['outcome'][] = []
    for (let i = 0; i < mailboxes.length; i += together) {
      const settled = await Promise.allSettled(mailboxes.slice(i, i + together).map(keep))
      const failed = settled.find((each) => each.status === 'rejected')
      if (failed) {
        // The sender will come again with it for all of them.
        await store.messages.retract(stored).catch(() => {})
        throw failed.reason
      }
      outcomes.push(...settled.map((each) => (each as PromiseFulfilledResult<KeptMessage['outcome']>).value))
    }
    if (forwarded) forwardingQueue.wake()
    if (stored.length > 0 || accepted.length < recipients.length) return
    throw new MayflyError(outcomes.includes('full') ? 'mailbox_full' : 'recipient_unknown')
  }

  return {
    rates: operatorRoom.rates,

    async accept(recipient, { from, share } = {}) {
      const row = await find(recipient)
      if (row === undefined) throw new MayflyError('recipient_unknown')
      if (typeof row === 'string') return { recipient, jobId: row, maxBytes: deps.maxMessageBytes.day }
      const maxBytes = deps.maxMessageBytes[row.lifetime]
      if (row.lifetime === 'operator') {
        const operator = { share: share ?? shareOf(recipient), from }
        await operatorRoom.check(operator)
        return { recipient, row, operator, maxBytes }
      }
      if (row.usedBytes >= (await roomOf(row))) throw new MayflyError('mailbox_full')
      return { recipient, row, maxBytes }
    },

    async deliver(envelope, recipients, mail) {
      await report(recipients, mail)
      const giveBack = await memory.lend(mail.length * COPIES)
      try {
        await keepFor(envelope, recipients, mail)
      } finally {
        giveBack()
      }
    },
  }
}

import type { EventBus } from '#core/events.ts'
import type { AddressId, MessageId, SubscriptionId } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { SealItem } from '#core/mailbox/box.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { MessageKey, MessageRow, MessageStore, NewSummary } from '#core/mailbox/message-store.ts'
import {
  authenticationPending,
  damagedSummary,
  type Envelope,
  type MessageSummary,
  type SummaryContent,
} from '#core/mailbox/message.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { grouped } from '#lib/group-commit.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { type Opener, SealError } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { SealAll } from '#mail/sealing/seal.ts'
import { packSummary, unpackSummary } from '#mail/sealing/summary.ts'
import type { OpenAddress } from './claims.ts'
import { isUnchecked, type SenderChecks } from './sender-checks.ts'

/**
 * The summary of a mail is a cache of its raw bytes: made right after the commit from the bytes in memory, or at the first
 * reading where that did not happen (too much at once, or the process died in between).
 */
export interface Summaries {
  /**
   * After the commit: makes and keeps the summary, then the authentication, and tells the watchers each time; webhooks hear of
   * the summary, before the authentication is known. Of mail to a fully
   * private address nothing is read here: only `{ authentication }` is kept, for which the DNS is asked. Never throws.
   */
  prepare(
    message: NewlyKept,
    recipient: Pick<RecipientRow, 'publicKey' | 'private' | OwnerColumn>,
    envelope: Envelope,
    raw: Uint8Array,
  ): void
  /**
   * For the owner who waits: the kept summary, else made from the body; `damagedSummary` where that does not open. Undefined
   * where the message went away meanwhile.
   */
  of(open: OpenAddress, row: MessageRow): Promise<SummaryContent | undefined>
  /** As `of`, for a message that is opened: what a first look left out is made now, and the watchers hear of it. */
  whole(open: OpenAddress, row: MessageRow, body: OpenBody): Promise<SummaryContent>
  /** Starts the check of the sender where none was made, or nothing could be checked; the watchers hear of the result. */
  authenticate(open: OpenAddress, row: MessageRow, summary: SummaryContent, body: OpenBody): void
  /** Resolves when all that was prepared is kept. */
  settled(): Promise<void>
  /** From here on nothing is said of what is left to the first reading. */
  quiet(): void
}

/** What a sealed body holds. */
export type OpenBody = ReturnType<typeof unpackBody>
type NewlyKept = MessageKey & Pick<MessageRow, 'size'>
type OwnerColumn = 'subscriptionId' | 'keySubscriptionId'

export interface SummariesDeps {
  messages: MessageStore
  reader: MailReader
  bus: EventBus
  sealAll: SealAll
  opener: Pick<Opener, 'open' | 'openLarge'>
  checks: SenderChecks
  memory: MemoryBudget
  /** Called once a summary is kept; webhooks listen. Never rejects. */
  onSummarized: (message: SummarizedMessage) => Promise<void>
  logger: Logger
  metrics: Metrics
  /** More jobs than this in the reader, and summaries are left to the first reading. */
  backlogMax: number
}

const KEEP_TOGETHER = 200
/** A mail that is summarised: as it came, a copy for the thread, and its text. */
const COPIES = 3

/** What the owner is told of a summary. */
export const shownOf = ({ partial: _partial, ...shown }: SummaryContent): Omit<SummaryContent, 'partial'> => shown

export function createSummaries(deps: SummariesDeps): Summaries {
  const { messages, reader, bus } = deps
  const running = new Map<MessageId, Promise<void>>()
  /** Messages whose sender is being checked, with their summaries as they are now; null for what the server doesn't read. */
  const checking = new Map<MessageId, { summary: SummaryContent | null; done: Promise<void> }>()
  let quiet = false
  const keep = grouped<MessageKey & SealItem, undefined>(
    async (items) => {
      // Together: what changed in one inbox at one time shares an ephemeral key.
      const sealed = deps.sealAll(items.map(({ publicKey, place, plaintext }) => ({ publicKey, place, plaintext })))
      const summaries = items.map(({ addressId, id, receivedAt, expiresAt }, i): NewSummary => {
        const sealedSummary = sealed[i] as Uint8Array
        return { addressId, id, receivedAt, expiresAt, sealedSummary }
      })
      await messages.attachSummaries(summaries)
      return items.map(() => undefined)
    },
    { maxItems: KEEP_TOGETHER },
  )

  async function attach(
    row: MessageKey,
    publicKey: Uint8Array,
    content: SummaryContent | Pick<SummaryContent, 'authentication'>,
  ) {
    const { addressId, id, receivedAt, expiresAt } = row
    const item = { publicKey, place: messagePlace('summary', row), plaintext: packSummary(content) }
    await keep({ addressId, id, receivedAt, expiresAt, ...item })
    bus.publish(row.addressId)
  }

  /** Tells the webhooks of whoever has the address, once the summary is kept. */
  async function announce(
    { addressId, id, receivedAt, size }: NewlyKept,
    { subscriptionId, keySubscriptionId }: Pick<RecipientRow, OwnerColumn>,
    content: SummaryContent,
    recipient: string,
  ): Promise<void> {
    await deps.onSummarized({
      addressId,
      subscriptionId: subscriptionId ?? keySubscriptionId,
      recipient,
      summary: { ...shownOf(content), id, receivedAt, size, seen: false },
    })
  }

  async function bodyOf(open: OpenAddress, row: MessageRow) {
    const sealed = await messages.body(row)
    return sealed && unpackBody(await deps.opener.openLarge(open.keys, messagePlace('body', row), sealed))
  }

  /** Undefined where none is kept, or the one that is kept is not of this message: it is made anew. */
  function keptOf({ keys }: OpenAddress, row: MessageRow): SummaryContent | undefined {
    if (!row.sealedSummary) return undefined
    try {
      return unpackSummary(deps.opener.open(keys, messagePlace('summary', row), row.sealedSummary))
    } catch (error) {
      if (error instanceof SealError) return undefined
      throw error
    }
  }

  function failed({ addressId }: Pick<MessageKey, 'addressId'>, error: unknown): void {
    if (quiet) return
    deps.logger.warn({ err: error }, 'summary left to the first reading')
    // Which is the watchers': the message is there.
    bus.publish(addressId)
  }

  /** In the background, one job for each message at a time. */
  function run(message: MessageKey, work: () => Promise<void>): void {
    if (running.has(message.id)) return
    const job = work()
      .catch((error: unknown) => failed(message, error))
      .finally(() => running.delete(message.id))
    running.set(message.id, job)
  }

  /** Checks the sender beside everything else, and adds the result to the summary that there is by then. */
  function checkSender(
    message: MessageKey,
    publicKey: Uint8Array,
    summary: SummaryContent | null,
    { raw, envelope }: OpenBody,
  ): void {
    if (checking.has(message.id)) return
    const check = { summary, done: Promise.resolve() }
    checking.set(message.id, check)
    check.done = deps.checks
      .check(raw, envelope)
      .then((authentication) => {
        const known = check.summary?.authentication
        if (known && known.dmarc === authentication.dmarc && isUnchecked(known)) return undefined
        return attach(message, publicKey, { ...check.summary, authentication })
      })
      .catch((error: unknown) => failed(message, error))
      .finally(() => checking.delete(message.id))
  }

  /** The summary with what is known of the sender at this moment. */
  async function replace(row: MessageRow, publicKey: Uint8Array, summary: SummaryContent): Promise<void> {
    const check = checking.get(row.id)
    if (check) check.summary = summary
    await attach(row, publicKey, summary)
  }

  return {
    prepare(message, recipient, envelope, raw) {
      const { publicKey, private: unread } = recipient
      if (unread) {
        bus.publish(message.addressId)
        checkSender(message, publicKey, null, { raw, envelope })
        return
      }
      const giveBack = reader.backlog < deps.backlogMax ? deps.memory.tryLend(raw.length * COPIES) : undefined
      if (!giveBack) {
        deps.metrics.count('summaries_deferred')
        bus.publish(message.addressId)
        return
      }
      run(message, async () => {
        try {
          const waited = bus.isWatched(message.addressId)
          const content = await reader.summarize(raw, envelope, { waited })
          await attach(message, publicKey, content)
          checkSender(message, publicKey, content, { raw, envelope })
          await announce(message, recipient, content, envelope.recipient)
        } finally {
          giveBack()
        }
      })
    },

    async of(open, row) {
      const kept = keptOf(open, row)
      if (kept) return kept
      const giveBack = await deps.memory.lend(row.size * COPIES, { urgent: true })
      try {
        const body = await bodyOf(open, row)
        if (!body) return undefined
        const content = await reader.summarize(body.raw, body.envelope, { waited: true })
        // Whoever makes it at this moment knows more, or will: whether the sender is who he says.
        if (running.has(row.id)) return content
        // A disk that is full keeps nothing, but what is on it can be read.
        await attach(row, open.keys.publicKey, content).then(
          () => announce(row, open.row, content, body.envelope.recipient),
          (error: unknown) => deps.logger.warn({ err: error }, 'summary not kept'),
        )
        return content
      } catch (error) {
        if (!(error instanceof SealError)) throw error
        deps.logger.warn({ id: row.id }, 'message damaged')
        return damagedSummary
      } finally {
        giveBack()
      }
    },

    async whole(open, row, { raw, envelope }) {
      const kept = keptOf(open, row)
      const known = kept ?? (await reader.summarize(raw, envelope, { waited: true }))
      if (!known.partial && kept) return known
      const { authentication } = known
      const summary = known.partial
        ? { ...(await reader.summarize(raw, envelope, { waited: true, whole: true })), authentication }
        : known
      await replace(row, open.keys.publicKey, summary).then(
        () => (kept ? undefined : announce(row, open.row, summary, envelope.recipient)),
        (error: unknown) => deps.logger.warn({ err: error }, 'summary not kept'),
      )
      return summary
    },

    authenticate(open, row, summary, body) {
      const { authentication } = summary
      const unknown = authentication.dmarc === authenticationPending.dmarc || isUnchecked(authentication)
      if (unknown && !running.has(row.id)) checkSender(row, open.keys.publicKey, summary, body)
    },

    quiet: () => void (quiet = true),

    async settled() {
      while (running.size + checking.size > 0) {
        await Promise.all([...running.values(), ...Array.from(checking.values(), ({ done }) => done)])
      }
    },
  }
}

/** A mail whose summary was just made. */
export interface SummarizedMessage {
  addressId: AddressId
  /** Whose address it is, or whose API key made it; null: nobody's. */
  subscriptionId: SubscriptionId | null
  /** As the sender wrote it. */
  recipient: string
  summary: MessageSummary
}

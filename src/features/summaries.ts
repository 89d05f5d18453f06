import { authenticationPending, type Envelope, type SummaryContent } from '#core/message.ts'
import type {
  EventBus,
  Logger,
  MailReader,
  MessageId,
  MessageKey,
  MessageRow,
  MessageStore,
  Metrics,
  NewSummary,
  RecipientRow,
} from '#core/ports.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { open as openSealed } from '#mail/sealing/open.ts'
import type { Seal } from '#mail/sealing/seal.ts'
import { packSummary, unpackSummary } from '#mail/sealing/summary.ts'
import type { OpenAddress } from './addresses.ts'
import { grouped } from './group.ts'
import type { Webhooks } from './webhooks.ts'

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
  /** For the owner: the kept summary, else made from the body. Undefined where the message went away meanwhile. */
  of(open: OpenAddress, row: MessageRow): Promise<SummaryContent | undefined>
  /** Starts the look-up of the authenticity where none was made or is under way; the watchers hear of the result. */
  authenticate(open: OpenAddress, row: MessageRow, summary: SummaryContent): void
  /** Resolves when all that was prepared is kept. */
  settled(): Promise<void>
  /** From here on nothing is said of what is left to the first reading. */
  quiet(): void
}

type NewlyKept = MessageKey & Pick<MessageRow, 'size'>
type OwnerColumn = 'subscriptionId' | 'keySubscriptionId'

export interface SummariesDeps {
  messages: MessageStore
  reader: MailReader
  bus: EventBus
  seal: Seal
  webhooks: Pick<Webhooks, 'announce'>
  logger: Logger
  metrics: Metrics
  /** More jobs than this in the reader, and summaries are left to the first reading. */
  backlogMax: number
}

const KEEP_TOGETHER = 200

export function createSummaries(deps: SummariesDeps): Summaries {
  const { messages, reader, bus } = deps
  const running = new Map<MessageId, Promise<void>>()
  let quiet = false
  const keep = grouped<NewSummary, undefined>(
    async (items) => {
      await messages.attachSummaries(items)
      return items.map(() => undefined)
    },
    { maxItems: KEEP_TOGETHER },
  )

  async function attach(
    row: MessageKey,
    publicKey: Uint8Array,
    content: SummaryContent | Pick<SummaryContent, 'authentication'>,
  ) {
    const sealedSummary = deps.seal(publicKey, packSummary(content))
    const { addressId, id, receivedAt, expiresAt } = row
    await keep({ addressId, id, receivedAt, expiresAt, sealedSummary })
    bus.publish(row.addressId)
  }

  /** Tells the webhooks of whoever has the address, once the summary is kept. */
  async function announce(
    { addressId, id, receivedAt, size }: NewlyKept,
    { subscriptionId, keySubscriptionId }: Pick<RecipientRow, OwnerColumn>,
    content: SummaryContent,
    recipient: string,
  ): Promise<void> {
    await deps.webhooks.announce({
      addressId,
      subscriptionId: subscriptionId ?? keySubscriptionId,
      recipient,
      summary: { ...content, id, receivedAt, size, seen: false },
    })
  }

  async function bodyOf(open: OpenAddress, row: MessageRow) {
    const sealed = await messages.body(row)
    return sealed && unpackBody(openSealed(open.keys, sealed))
  }

  /** In the background, one job for each message at a time. */
  function run({ addressId, id }: Pick<MessageKey, 'addressId' | 'id'>, work: () => Promise<void>): void {
    if (running.has(id)) return
    const job = work()
      .catch((error: unknown) => {
        if (quiet) return
        deps.logger.warn({ err: error }, 'summary left to the first reading')
        // Which is the watchers': the message is there.
        bus.publish(addressId)
      })
      .finally(() => running.delete(id))
    running.set(id, job)
  }

  return {
    prepare(message, recipient, envelope, raw) {
      const { publicKey, private: unread } = recipient
      const deferred = reader.backlog >= deps.backlogMax
      if (deferred) deps.metrics.count('summaries_deferred')
      if (deferred || unread) bus.publish(message.addressId)
      if (deferred) return
      run(message, async () => {
        if (unread) {
          await attach(message, publicKey, { authentication: await reader.authenticate(raw, envelope) })
          return
        }
        const content = await reader.summarize(raw, envelope)
        await attach(message, publicKey, content)
        const announced = announce(message, recipient, content, envelope.recipient)
        await attach(message, publicKey, { ...content, authentication: await reader.authenticate(raw, envelope) })
        await announced
      })
    },

    async of(open, row) {
      if (row.sealedSummary) return unpackSummary(openSealed(open.keys, row.sealedSummary))
      const body = await bodyOf(open, row)
      if (!body) return undefined
      const content = await reader.summarize(body.raw, body.envelope)
      // Whoever makes it at this moment knows more, or will: whether the sender is who he says.
      if (running.has(row.id)) return content
      // A disk that is full keeps nothing, but what is on it can be read.
      await attach(row, open.keys.publicKey, content).then(
        () => announce(row, open.row, content, body.envelope.recipient),
        (error: unknown) => deps.logger.warn({ err: error }, 'summary not kept'),
      )
      return content
    },

    authenticate(open, row, summary) {
      if (summary.authentication.dmarc !== authenticationPending.dmarc) return
      run(row, async () => {
        const body = await bodyOf(open, row)
        if (!body) return
        const authentication = await reader.authenticate(body.raw, body.envelope)
        await attach(row, open.keys.publicKey, { ...summary, authentication })
      })
    },

    quiet: () => void (quiet = true),

    async settled() {
      // oxlint-disable-next-line no-await-in-loop -- what ends may have begun another
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

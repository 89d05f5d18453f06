import type { RecipientRow } from '#core/mailbox/address.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { MessageRow } from '#core/mailbox/message-store.ts'
import {
  authenticationPending,
  damagedSummary,
  type Envelope,
  recipientsIn,
  type SummaryContent,
} from '#core/mailbox/message.ts'
import type { GiveBack, MemoryBudget } from '#core/memory-budget.ts'
import type { Metrics } from '#core/telemetry.ts'
import { unpackBody, unpackSummary } from '#mail/sealing/body.ts'
import { ifIntact } from '#mail/sealing/if-intact.ts'
import { type Opener, SealError } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { OpenAddress } from './claims.ts'
import { originOf } from './origin.ts'
import { endsWithin, isUnchecked } from './sender-checks.ts'
import { sharedByCopies } from './shared-by-copies.ts'
import { type NewlyKept, type Owner, summarizedMessage } from './summarized-message.ts'
import { createSummaryUpdates, type OpenBody, type SummaryUpdates, type SummaryUpdatesDeps } from './summary-updates.ts'

/**
 * Makes the summaries of messages. A summary is a cache of data from the raw message. It is made right after the commit
 * from the bytes in memory. If the load is too high, or the process dies before that, it is made when the owner next
 * opens the inbox.
 */
export interface Summaries extends Pick<SummaryUpdates, 'settled' | 'stopLogging'> {
  /**
   * Starts making the summary of a committed message. If the check of the sender takes longer, the summary is stored
   * without it, and again with it. Watchers are notified of both, webhooks once: their calls are queued with the first.
   * A message to a fully private address is not read: only `{ authentication, origin }` is stored, which needs the DNS. If
   * the same `raw` was stored in many mailboxes, it is read and checked once. Never throws.
   */
  prepare(
    message: NewlyKept,
    recipient: Pick<RecipientRow, 'publicKey' | 'private'> & Owner,
    envelope: Envelope,
    raw: Uint8Array,
  ): void
  /**
   * Returns the stored summary, or makes it from the body. Returns `damagedSummary` if the body cannot be opened, and
   * undefined if the message was deleted in the meantime.
   */
  read(open: OpenAddress, row: MessageRow): Promise<SummaryContent | undefined>
  /** Like `read`, for an open message. Completes a partial summary, stores it and notifies the watchers. */
  complete(open: OpenAddress, row: MessageRow, body: OpenBody): Promise<SummaryContent>
  /**
   * Starts the check of the sender if it was not made yet or no name server answered. Watchers are notified of the
   * result.
   */
  authenticate(open: OpenAddress, row: MessageRow, summary: SummaryContent, body: OpenBody): void
}

export interface SummariesDeps extends SummaryUpdatesDeps {
  reader: MailReader
  opener: Pick<Opener, 'open' | 'openLarge'>
  memory: MemoryBudget
  metrics: Metrics
  /** If the reader has at least this many jobs, a summary is deferred until the owner opens the inbox. */
  backlogMax: number
}

/**
 * How long the summary of a message that somebody waits for is held back for the check of the sender, in milliseconds. If
 * the answers of name servers are known, the summary is sealed, stored and announced only once.
 */
const CHECK_PATIENCE = 15
/** Copies of a message in memory while its summary is made: the raw message, a copy for the thread, and its text. */
const COPIES = 3

/** The first look at a message that was just stored. */
interface FirstLook {
  /** Returns its memory. Undefined if the load is too high. */
  giveBack: GiveBack | undefined
  /** The number of mailboxes whose copies still need the memory. */
  copies: number
  isWatched: boolean
  content?: Promise<SummaryContent>
}

export function createSummaries(deps: SummariesDeps): Summaries {
  const { messages, reader, bus, patience } = deps
  const updates = createSummaryUpdates(deps)
  const checkOnce = sharedByCopies(deps.checks.check)
  const lookOnce = sharedByCopies((raw: Uint8Array): FirstLook => {
    const giveBack = reader.backlog < deps.backlogMax ? deps.memory.tryLend(raw.length * COPIES) : undefined
    return { giveBack, copies: 0, isWatched: false }
  })

  /** Makes the summary of a message. */
  async function summarize({ raw, envelope }: OpenBody, how: Parameters<MailReader['summarize']>[2]) {
    return { ...(await reader.summarize(raw, envelope, how)), origin: originOf(envelope) }
  }

  /** Returns the calls to the webhooks of the owner. */
  const callsFor = (...args: Parameters<typeof summarizedMessage>) =>
    deps.announcer.callsFor(summarizedMessage(...args))

  /** Returns the calls for a message that is read, if it has no summary so far. */
  const callsIfFirst = async (open: OpenAddress, row: MessageRow, summary: SummaryContent, { envelope }: OpenBody) =>
    row.sealedSummary === null ? callsFor(row, open.row, summary, envelope.recipient) : undefined

  const onNotStored = (error: unknown): void => deps.logger.warn({ err: error }, 'summary not stored')

  async function bodyOf(open: OpenAddress, row: MessageRow) {
    const sealed = await messages.body(row)
    return sealed && unpackBody(await deps.opener.openLarge(open.keys, messagePlace('body', row), sealed))
  }

  /** Opens the stored summary. Returns undefined if there is none or it is damaged. The caller then makes it again. */
  function storedOf({ keys }: OpenAddress, row: MessageRow): SummaryContent | undefined {
    const { sealedSummary } = row
    if (!sealedSummary) return undefined
    return ifIntact(() => unpackSummary(deps.opener.open(keys, messagePlace('summary', row), sealedSummary)))
  }

  /** Whether neither a page nor a webhook waits for the summary of a message. */
  const canWait = (message: NewlyKept, { subscriptionId, keySubscriptionId }: Owner) =>
    patience > 0 && !bus.isWatched(message.addressId) && (subscriptionId ?? keySubscriptionId) === null

  return {
    prepare(message, recipient, envelope, raw) {
      const { publicKey, private: isPrivate } = recipient
      if (isPrivate) {
        bus.publish(message.addressId)
        void updates.checkSender(message, publicKey, null, { raw, envelope }, { started: checkOnce(raw, envelope) })
        return
      }
      const look = lookOnce(raw)
      const { giveBack } = look
      if (!giveBack) {
        deps.metrics.count('summaries_deferred')
        bus.publish(message.addressId)
        return
      }
      updates.run(message, async (job) => {
        look.copies++
        look.isWatched ||= bus.isWatched(message.addressId)
        try {
          const early = canWait(message, recipient) ? undefined : checkOnce(raw, envelope)
          // It starts when all copies of the message are known.
          look.content ??= Promise.resolve().then(() => summarize({ raw, envelope }, { waited: look.isWatched }))
          const content = { ...(await look.content), ...recipientsIn(envelope) }
          const calls = await callsFor(message, recipient, content, envelope.recipient)
          const result = early ?? checkOnce(raw, envelope)
          if (await endsWithin(result, early ? CHECK_PATIENCE : patience / 2)) {
            const authentication = (job.authentication = await result)
            const checked = { ...(job.summary ?? content), authentication }
            await updates.attach(message, publicKey, checked, { onlyIfNone: job.summary === null, calls })
          } else {
            await updates.attach(message, publicKey, content, { onlyIfNone: true, calls })
            const summary = job.summary ?? content
            void updates.checkSender(message, publicKey, summary, { raw, envelope }, { started: result })
          }
        } finally {
          if (--look.copies === 0) giveBack()
        }
      })
    },

    async read(open, row) {
      const stored = storedOf(open, row)
      if (stored) return stored
      const giveBack = await deps.memory.lend(row.size * COPIES, { kind: 'urgent' })
      try {
        const body = await bodyOf(open, row)
        if (!body) return undefined
        const content = await summarize(body, { waited: true })
        // A background job is making the same summary, and will also add the authentication of the sender.
        if (updates.isRunning(row.id)) return content
        // By now the job may have stored the summary with the check of the sender. A damaged one is replaced.
        // With a full disk the summary cannot be stored, but messages can still be read.
        const isFirst = row.sealedSummary === null
        await callsIfFirst(open, row, content, body)
          .then((calls) => updates.attach(row, open.keys.publicKey, content, { onlyIfNone: isFirst, calls }))
          .catch(onNotStored)
        return content
      } catch (error) {
        if (!(error instanceof SealError)) throw error
        deps.logger.warn({ id: row.id }, 'message damaged')
        return damagedSummary
      } finally {
        giveBack()
      }
    },

    async complete(open, row, body) {
      const stored = storedOf(open, row)
      const known = stored ?? (await summarize(body, { waited: true }))
      if (!known.partial && stored) return known
      const { authentication } = known
      const summary = known.partial
        ? { ...(await summarize(body, { waited: true, whole: true })), authentication }
        : known
      await callsIfFirst(open, row, summary, body)
        .then((calls) => updates.replace(row, open.keys.publicKey, summary, calls))
        .catch(onNotStored)
      return summary
    },

    authenticate(open, row, summary, body) {
      const { authentication } = summary
      const unknown = authentication.dmarc === authenticationPending.dmarc || isUnchecked(authentication)
      if (!unknown || updates.isRunning(row.id)) return
      // The summary itself may not be stored, for example because the disk was full.
      const calls = () => callsIfFirst(open, row, summary, body)
      void updates.checkSender(row, open.keys.publicKey, summary, body, { calls })
    },

    settled: updates.settled,
    stopLogging: updates.stopLogging,
  }
}

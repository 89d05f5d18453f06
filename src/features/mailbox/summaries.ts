import type { EventBus } from '#core/events.ts'
import type { MessageId } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { SealItem } from '#core/mailbox/box.ts'
import type { MailReader, Sealer } from '#core/mailbox/mail-reader.ts'
import type { MessageKey, MessageRow, MessageStore, NewSummary } from '#core/mailbox/message-store.ts'
import {
  authenticationPending,
  damagedSummary,
  type Authentication,
  type Envelope,
  type SummaryContent,
} from '#core/mailbox/message.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { grouped } from '#lib/group-commit.ts'
import { packSummary, unpackBody, unpackSummary } from '#mail/sealing/body.ts'
import { type Opener, SealError } from '#mail/sealing/open.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import type { OpenAddress } from './claims.ts'
import { originOf } from './origin.ts'
import { endsWithin, isUnchecked, type SenderChecks } from './sender-checks.ts'
import { type NewlyKept, type Owner, type SummarizedMessage, summarizedMessage } from './summarized-message.ts'

/**
 * Makes the summaries of messages. A summary is a cache of data from the raw message. It is made right after the commit
 * from the bytes in memory. If the load is too high, or the process dies before that, it is made when the owner next
 * opens the inbox.
 */
export interface Summaries {
  /**
   * Starts making the summary of a committed message. If the check of the sender takes longer, the summary is stored
   * without it, and again with it. Watchers are notified of both, webhooks once. A message to a fully private address is
   * not read: only `{ authentication, origin }` is stored, which needs the DNS. Never throws.
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
  of(open: OpenAddress, row: MessageRow): Promise<SummaryContent | undefined>
  /** Like `of`, for an open message. Completes a partial summary, stores it and notifies the watchers. */
  whole(open: OpenAddress, row: MessageRow, body: OpenBody): Promise<SummaryContent>
  /**
   * Starts the check of the sender if it was not made yet or no name server answered. Watchers are notified of the
   * result.
   */
  authenticate(open: OpenAddress, row: MessageRow, summary: SummaryContent, body: OpenBody): void
  /** Resolves when no summary and no check is in progress. */
  settled(): Promise<void>
  /** Stops the logging of summaries that could not be made. Called at shutdown. */
  quiet(): void
}

/** The content of a sealed body. */
export type OpenBody = ReturnType<typeof unpackBody>

export interface SummariesDeps {
  messages: MessageStore
  reader: MailReader
  bus: EventBus
  sealer: Pick<Sealer, 'seal'>
  opener: Pick<Opener, 'open' | 'openLarge'>
  checks: SenderChecks
  memory: MemoryBudget
  /** Called when a summary is stored, for webhooks. Never rejects. */
  onSummarized: (message: SummarizedMessage) => Promise<void>
  logger: Logger
  metrics: Metrics
  /** If the reader has at least this many jobs, a summary is deferred until the owner opens the inbox. */
  backlogMax: number
  /**
   * How long the summary of a message that nobody waits for may take until it is stored, in milliseconds. In this time
   * summaries are collected and completed with the check of the sender, so that most are sealed and stored once. 0 if a
   * visitor may wait at another node.
   */
  patience: number
}

/**
 * How long the summary of a message that somebody waits for is held back for the check of the sender, in milliseconds. If
 * the answers of name servers are known, the summary is sealed, stored and announced only once.
 */
const CHECK_PATIENCE = 15
/** The maximum number of summaries that are stored in one transaction. */
const MAX_GROUP = 200
/** Copies of a message in memory while its summary is made: the raw message, a copy for the thread, and its text. */
const COPIES = 3

/** The work on a message in the background. */
interface Job {
  /** The summary that the check of the sender completes. Null if there is none yet, and for a fully private address. */
  summary: SummaryContent | null
  /** The result of the check, once it is known. */
  authentication?: Authentication
  done: Promise<void>
}

export function createSummaries(deps: SummariesDeps): Summaries {
  const { messages, reader, bus, patience } = deps
  /** Messages whose summary is being made. */
  const running = new Map<MessageId, Job>()
  /** Messages whose sender is being checked after their summary was stored. */
  const checking = new Map<MessageId, Job>()
  let quiet = false
  const keepAll = async (items: { row: Omit<NewSummary, 'sealedSummary'>; item: SealItem }[]): Promise<undefined[]> => {
    // Sealed in one call, so that they share an ephemeral key.
    const sealed = await deps.sealer.seal(items.map(({ item }) => item))
    await messages.attachSummaries(items.map(({ row }, i) => ({ ...row, sealedSummary: sealed[i] as Uint8Array })))
    return items.map(() => undefined)
  }
  const keepNow = grouped(keepAll, { maxItems: MAX_GROUP })
  const keepSoon = grouped(keepAll, { maxItems: MAX_GROUP, gather: patience / 4 })

  /** Makes the summary of a message. */
  async function made({ raw, envelope }: OpenBody, how: Parameters<MailReader['summarize']>[2]) {
    return { ...(await reader.summarize(raw, envelope, how)), origin: originOf(envelope) }
  }

  async function attach(
    row: MessageKey,
    publicKey: Uint8Array,
    content: SummaryContent | Pick<SummaryContent, 'authentication' | 'origin'>,
    { onlyIfNone = false } = {},
  ) {
    const { addressId, id, receivedAt, expiresAt } = row
    const item = { publicKey, place: messagePlace('summary', row), plaintext: packSummary(content) }
    const keep = patience === 0 || bus.isWatched(addressId) ? keepNow : keepSoon
    await keep({ row: { addressId, id, receivedAt, expiresAt, onlyIfNone }, item })
    bus.publish(addressId)
  }

  /** Notifies the webhooks of the owner. */
  const announce = (...args: Parameters<typeof summarizedMessage>) => deps.onSummarized(summarizedMessage(...args))

  async function bodyOf(open: OpenAddress, row: MessageRow) {
    const sealed = await messages.body(row)
    return sealed && unpackBody(await deps.opener.openLarge(open.keys, messagePlace('body', row), sealed))
  }

  /** Opens the stored summary. Returns undefined if there is none or it is damaged. The caller then makes it again. */
  function keptOf({ keys }: OpenAddress, row: MessageRow): SummaryContent | undefined {
    if (!row.sealedSummary) return undefined
    try {
      return unpackSummary(deps.opener.open(keys, messagePlace('summary', row), row.sealedSummary))
    } catch (error) {
      if (error instanceof SealError) return undefined
      throw error
    }
  }

  function onFailure({ addressId }: Pick<MessageKey, 'addressId'>, error: unknown): void {
    if (quiet) return
    deps.logger.warn({ err: error }, 'summary deferred until the inbox is opened')
    // The message is in the inbox even without a summary.
    bus.publish(addressId)
  }

  /** Runs `work` in the background. Does nothing if a job for the message is already running. */
  function run(message: MessageKey, work: (job: Job) => Promise<void>): void {
    if (running.has(message.id)) return
    const job: Job = { summary: null, done: Promise.resolve() }
    running.set(message.id, job)
    job.done = work(job)
      .catch((error: unknown) => onFailure(message, error))
      .finally(() => running.delete(message.id))
  }

  /**
   * Checks the sender in the background and adds the result to the summary that is current by then. Resolves when it is
   * stored. Never rejects. `result`: a check that was started before.
   */
  async function checkSender(
    message: MessageKey,
    publicKey: Uint8Array,
    summary: SummaryContent | null,
    { raw, envelope }: OpenBody,
    result?: Promise<Authentication>,
  ): Promise<void> {
    if (checking.has(message.id)) return
    const check: Job = { summary, done: Promise.resolve() }
    checking.set(message.id, check)
    check.done = (result ?? deps.checks.check(raw, envelope))
      .then((authentication) => {
        check.authentication = authentication
        const known = check.summary?.authentication
        if (known && known.dmarc === authentication.dmarc && isUnchecked(known)) return undefined
        return attach(message, publicKey, { origin: originOf(envelope), ...check.summary, authentication })
      })
      .catch((error: unknown) => onFailure(message, error))
      .finally(() => checking.delete(message.id))
    await check.done
  }

  /** Whether neither a page nor a webhook waits for the summary of a message. */
  const canWait = (message: NewlyKept, { subscriptionId, keySubscriptionId }: Owner) =>
    patience > 0 && !bus.isWatched(message.addressId) && (subscriptionId ?? keySubscriptionId) === null

  /** Stores a new summary, with the result of the sender check. A check that is still running adds its result later. */
  async function replace(row: MessageRow, publicKey: Uint8Array, summary: SummaryContent): Promise<void> {
    const jobs = [running.get(row.id), checking.get(row.id)].filter((job) => job !== undefined)
    const result = jobs.find((job) => job.authentication)?.authentication
    const current = result ? { ...summary, authentication: result } : summary
    for (const job of jobs) job.summary = current
    await attach(row, publicKey, current)
  }

  return {
    prepare(message, recipient, envelope, raw) {
      const { publicKey, private: isPrivate } = recipient
      if (isPrivate) {
        bus.publish(message.addressId)
        void checkSender(message, publicKey, null, { raw, envelope })
        return
      }
      const giveBack = reader.backlog < deps.backlogMax ? deps.memory.tryLend(raw.length * COPIES) : undefined
      if (!giveBack) {
        deps.metrics.count('summaries_deferred')
        bus.publish(message.addressId)
        return
      }
      run(message, async (job) => {
        try {
          const early = canWait(message, recipient) ? undefined : deps.checks.check(raw, envelope)
          const content = await made({ raw, envelope }, { waited: bus.isWatched(message.addressId) })
          const result = early ?? deps.checks.check(raw, envelope)
          if (await endsWithin(result, early ? CHECK_PATIENCE : patience / 2)) {
            const authentication = (job.authentication = await result)
            const checked = { ...(job.summary ?? content), authentication }
            await attach(message, publicKey, checked, { onlyIfNone: job.summary === null })
          } else {
            await attach(message, publicKey, content, { onlyIfNone: true })
            void checkSender(message, publicKey, job.summary ?? content, { raw, envelope }, result)
          }
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
        const content = await made(body, { waited: true })
        // A background job is making the same summary, and will also add the authentication of the sender.
        if (running.has(row.id)) return content
        // By now the job may have stored the summary with the check of the sender. A damaged one is replaced.
        // With a full disk the summary cannot be stored, but messages can still be read.
        await attach(row, open.keys.publicKey, content, { onlyIfNone: row.sealedSummary === null }).then(
          () => announce(row, open.row, content, body.envelope.recipient),
          (error: unknown) => deps.logger.warn({ err: error }, 'summary not stored'),
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

    async whole(open, row, body) {
      const kept = keptOf(open, row)
      const known = kept ?? (await made(body, { waited: true }))
      if (!known.partial && kept) return known
      const { authentication } = known
      const summary = known.partial ? { ...(await made(body, { waited: true, whole: true })), authentication } : known
      await replace(row, open.keys.publicKey, summary).then(
        () => (kept ? undefined : announce(row, open.row, summary, body.envelope.recipient)),
        (error: unknown) => deps.logger.warn({ err: error }, 'summary not stored'),
      )
      return summary
    },

    authenticate(open, row, summary, body) {
      const { authentication } = summary
      const unknown = authentication.dmarc === authenticationPending.dmarc || isUnchecked(authentication)
      if (unknown && !running.has(row.id)) void checkSender(row, open.keys.publicKey, summary, body)
    },

    quiet: () => void (quiet = true),

    async settled() {
      while (running.size + checking.size > 0) {
        await Promise.all([...running.values(), ...checking.values()].map(({ done }) => done))
      }
    },
  }
}

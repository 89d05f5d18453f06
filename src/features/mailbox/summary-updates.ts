import type { EventBus } from '#core/events.ts'
import type { MessageId } from '#core/ids.ts'
import type { SealItem } from '#core/mailbox/box.ts'
import type { Sealer } from '#core/mailbox/mail-reader.ts'
import type { MessageKey, MessageStore, NewSummary } from '#core/mailbox/message-store.ts'
import type { Authentication, SummaryContent } from '#core/mailbox/message.ts'
import type { Logger } from '#core/telemetry.ts'
import type { WebhookCalls } from '#core/webhooks/webhook.ts'
import { grouped } from '#lib/group-commit.ts'
import { packSummary, type unpackBody } from '#mail/sealing/body.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { originOf } from './origin.ts'
import { isUnchecked, type SenderChecks } from './sender-checks.ts'
import type { WebhookAnnouncer } from './summarized-message.ts'

/** The content of a sealed body. */
export type OpenBody = ReturnType<typeof unpackBody>

/** A summary or a sender check that is made in the background. */
interface Job {
  /** The summary that the check of the sender completes. Null if there is none yet, and for a fully private address. */
  summary: SummaryContent | null
  /** The result of the check, once it is known. */
  authentication?: Authentication
  done: Promise<void>
}

/** Stores summaries, and completes them in the background. Watchers are notified of each change. */
export interface SummaryUpdates {
  /** Seals and stores a summary. `calls` are queued with it if it is the first one of the message. */
  attach(
    row: MessageKey,
    publicKey: Uint8Array,
    content: SummaryContent | Pick<SummaryContent, 'authentication' | 'origin'>,
    options?: Pick<NewSummary, 'onlyIfNone' | 'calls'>,
  ): Promise<void>
  /** Like `attach`, with the result of the sender check. A check that is still running adds its result later. */
  replace(row: MessageKey, publicKey: Uint8Array, summary: SummaryContent, calls?: WebhookCalls): Promise<void>
  /** Makes a summary in the background. Does nothing if a job for the message is already running. */
  run(message: MessageKey, work: (job: Job) => Promise<void>): void
  /** Whether a summary of the message is being made in the background. */
  isRunning(id: MessageId): boolean
  /**
   * Checks the sender in the background and adds the result to the summary that is current by then. Resolves when it is
   * stored. Never rejects. `started`: a check that was started before. `calls`: see `attach`.
   */
  checkSender(
    message: MessageKey,
    publicKey: Uint8Array,
    summary: SummaryContent | null,
    body: OpenBody,
    options?: { started?: Promise<Authentication>; calls?: (() => Promise<WebhookCalls | undefined>) | undefined },
  ): Promise<void>
  /** Resolves when no summary and no check is in progress. */
  settled(): Promise<void>
  /** Stops the logging of summaries that could not be made. Called at shutdown. */
  stopLogging(): void
}

export interface SummaryUpdatesDeps {
  messages: MessageStore
  bus: EventBus
  sealer: Pick<Sealer, 'seal'>
  checks: SenderChecks
  announcer: WebhookAnnouncer
  logger: Logger
  /**
   * How long the summary of a message that nobody waits for may take until it is stored, in milliseconds. In this time
   * summaries are collected and completed with the check of the sender, so that most are sealed and stored once. 0 if a
   * visitor may wait at another node.
   */
  patience: number
}

/** The maximum number of summaries that are stored in one transaction. */
const MAX_GROUP = 200

export function createSummaryUpdates(deps: SummaryUpdatesDeps): SummaryUpdates {
  const { messages, bus, patience } = deps
  /** Messages whose summary is being made. */
  const running = new Map<MessageId, Job>()
  /** Messages whose sender is being checked after their summary was stored. */
  const checking = new Map<MessageId, Job>()
  let logs = true
  const keepAll = async (items: { row: Omit<NewSummary, 'sealedSummary'>; item: SealItem }[]): Promise<undefined[]> => {
    // Sealed in one call, so that they share an ephemeral key.
    const sealed = await deps.sealer.seal(items.map(({ item }) => item))
    const calls = await messages.attachSummaries(
      items.map(({ row }, i) => ({ ...row, sealedSummary: sealed[i] as Uint8Array })),
    )
    if (calls.queued + calls.dropped > 0) deps.announcer.onStored(calls)
    return items.map(() => undefined)
  }
  const keepNow = grouped(keepAll, { maxItems: MAX_GROUP })
  const keepSoon = grouped(keepAll, { maxItems: MAX_GROUP, gather: patience / 4 })

  async function attach(
    row: MessageKey,
    publicKey: Uint8Array,
    content: SummaryContent | Pick<SummaryContent, 'authentication' | 'origin'>,
    { onlyIfNone = false, calls }: Pick<NewSummary, 'onlyIfNone' | 'calls'> = {},
  ): Promise<void> {
    const { addressId, id, receivedAt, expiresAt } = row
    const item = { publicKey, place: messagePlace('summary', row), plaintext: packSummary(content) }
    const keep = patience === 0 || bus.isWatched(addressId) ? keepNow : keepSoon
    await keep({ row: { addressId, id, receivedAt, expiresAt, onlyIfNone, calls }, item })
    bus.publish(addressId)
  }

  function onFailure({ addressId }: Pick<MessageKey, 'addressId'>, error: unknown): void {
    if (!logs) return
    deps.logger.warn({ err: error }, 'summary deferred until the inbox is opened')
    // The message is in the inbox even without a summary.
    bus.publish(addressId)
  }

  return {
    attach,

    async replace(row, publicKey, summary, calls) {
      const jobs = [running.get(row.id), checking.get(row.id)].filter((job) => job !== undefined)
      const result = jobs.find((job) => job.authentication)?.authentication
      const current = result ? { ...summary, authentication: result } : summary
      for (const job of jobs) job.summary = current
      await attach(row, publicKey, current, { calls })
    },

    run(message, work) {
      if (running.has(message.id)) return
      const job: Job = { summary: null, done: Promise.resolve() }
      running.set(message.id, job)
      job.done = work(job)
        .catch((error: unknown) => onFailure(message, error))
        .finally(() => running.delete(message.id))
    },

    isRunning: (id) => running.has(id),

    async checkSender(message, publicKey, summary, { raw, envelope }, { started, calls } = {}) {
      if (checking.has(message.id)) return
      const check: Job = { summary, done: Promise.resolve() }
      checking.set(message.id, check)
      check.done = (started ?? deps.checks.check(raw, envelope))
        .then(async (authentication) => {
          check.authentication = authentication
          const known = check.summary?.authentication
          if (known && known.dmarc === authentication.dmarc && isUnchecked(known)) return
          const queue = await calls?.()
          const checked = { origin: originOf(envelope), ...check.summary, authentication }
          await attach(message, publicKey, checked, { calls: queue })
        })
        .catch((error: unknown) => onFailure(message, error))
        .finally(() => checking.delete(message.id))
      await check.done
    },

    async settled() {
      while (running.size + checking.size > 0) {
        await Promise.all([...running.values(), ...checking.values()].map(({ done }) => done))
      }
    },

    stopLogging: () => void (logs = false),
  }
}

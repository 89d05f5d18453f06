import { MayflyError } from '#core/errors.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import { NOT_CHECKED } from '#core/mailbox/message.ts'
import { fallbackContent, fallbackFrame, fallbackSummary, partialSummary } from './fallback.ts'
import type { JobPriority } from './job-queue.ts'
import { defaultParseLimits, type ParseLimits } from './limits.ts'
import { useStandardDecoders } from './text-decoder.ts'
import { JobError, ReaderThread, type ThreadOptions } from './thread.ts'
import { fairKeysOf, networkOf } from './turns.ts'
import type { ParserData, ParserUse } from './warm-up.ts'

interface ReaderOptions {
  limits?: Partial<ParseLimits>
  /** Threads that parse opened messages, 1 or 2. */
  threads?: number
  /** Milliseconds for parsing one message. */
  timeout?: number
  /** Bytes of heap for each thread. */
  memory?: number
  /** Bytes of messages that may wait for each thread. Further jobs are refused with `unavailable`. */
  queueBytes?: number
  /** DNS servers as `address` or `address:port`. Empty: those of the system. */
  dnsServers?: readonly string[]
  /** Milliseconds for SPF, DKIM and DMARC of one message, and how many messages are checked at the same time. */
  authenticationTimeout?: number
  authenticationsAtOnce?: number
}

const MAX_THREADS = 2
/**
 * How many first looks are sent to their thread before it needs them. One takes a millisecond, and a turn of a busy main
 * thread takes longer. Only those for which a user waits are sent ahead, because accepting messages is more urgent than
 * the others.
 */
const LOOKS_AHEAD = 3
/** Milliseconds after which a first look that exceeds its budget is killed with its thread. */
const LOOK_TIMEOUT = 2000
/** Milliseconds after which an idle thread ends and releases its memory. */
const IDLE = 30_000
/** The same for the thread that checks senders. Starting it takes most of a second of CPU time. */
const AUTHENTICATOR_IDLE = 600_000

/**
 * Replaces an error that the message caused with a fallback. Other errors, such as a full queue, are rethrown, so that
 * the fallback is not stored.
 */
const fallBackTo =
  <T>(fallback: () => T, signal?: AbortSignal) =>
  (error: unknown): T => {
    if (error instanceof MayflyError || signal?.aborted) throw error
    return fallback()
  }

/** The priority of a job that somebody waits for. Addresses take turns. */
const waitedPriority = (addressId = ''): JobPriority => ({ outer: '', inner: addressId, waited: true })

/**
 * Creates the mail reader. One thread takes the first look at received messages, others parse opened messages, and one
 * waits for DNS, so that neither incoming messages nor slow name servers delay an inbox.
 */
export function createReader({
  limits,
  threads = 1,
  timeout = 5000,
  memory = 256 * 1024 * 1024,
  queueBytes = 128 * 1024 * 1024,
  dnsServers = [],
  authenticationTimeout = 10_000,
  authenticationsAtOnce = 32,
}: ReaderOptions = {}): MailReader {
  // A message that no thread can read is read here.
  useStandardDecoders()
  const parser = (use: ParserUse, options: Partial<ThreadOptions>): ReaderThread =>
    new ReaderThread({
      entry: new URL('./worker.ts', import.meta.url),
      workerData: { limits: { ...defaultParseLimits, ...limits }, use } satisfies ParserData,
      timeout,
      memory,
      concurrency: 1,
      queueBytes,
      ...options,
    })
  // A complete parse may take seconds, so it never runs in the thread of the first looks.
  const firstLooks = parser('look', { timeout: Math.min(timeout, LOOK_TIMEOUT), ahead: LOOKS_AHEAD })
  const openers = Array.from({ length: Math.max(1, Math.min(threads, MAX_THREADS)) }, () =>
    parser('open', { idle: IDLE }),
  )
  // A separate thread also means that a hanging signature check can be killed without losing a parse.
  const authenticator = new ReaderThread({
    entry: new URL('./authenticate-worker.ts', import.meta.url),
    workerData: { dnsServers, timeout: authenticationTimeout },
    timeout: authenticationTimeout * 2,
    memory,
    concurrency: authenticationsAtOnce,
    queueBytes,
    idle: AUTHENTICATOR_IDLE,
  })
  const leastBusyOpener = (): ReaderThread => openers.reduce((a, b) => (b.backlog < a.backlog ? b : a))

  return {
    get backlog() {
      return firstLooks.backlog
    },
    summarize(raw, envelope, { waited = false, whole = false } = {}) {
      const priority = { ...fairKeysOf(envelope), waited }
      const unreadable = () => fallbackSummary(raw, envelope)
      if (whole)
        return leastBusyOpener().run({ kind: 'summarize', raw, envelope }, priority).catch(fallBackTo(unreadable))
      return firstLooks.run({ kind: 'look', raw, envelope }, priority).catch((error: unknown) => {
        // A message that killed this thread may still be parsed by one with more time.
        if (error instanceof MayflyError || error instanceof JobError) return fallBackTo(unreadable)(error)
        return partialSummary(raw, envelope)
      })
    },
    authenticate: (raw, envelope) =>
      authenticator
        .run({ kind: 'authenticate', raw, envelope }, { ...fairKeysOf(envelope), waited: false })
        .catch(fallBackTo(() => NOT_CHECKED)),
    forward: (raw, envelope, request) =>
      authenticator
        .run({ kind: 'forward', raw, envelope, request }, { ...fairKeysOf(envelope), waited: true })
        .catch((error: unknown) => {
          // Only an unusable key makes this job reject.
          if (error instanceof JobError) throw error
          return fallBackTo(() => ({ authentication: NOT_CHECKED, head: new Uint8Array() }))(error)
        }),
    report: (raw, { clientAddress, signal }) =>
      leastBusyOpener()
        // All reports together take turns with those who open messages.
        .run({ kind: 'report', raw }, { outer: 'reports', inner: networkOf(clientAddress), waited: true }, signal)
        .catch(fallBackTo(() => undefined, signal)),
    content: (raw, options = {}) =>
      leastBusyOpener()
        .run({ kind: 'content', raw, outline: options.outline ?? false }, waitedPriority(options.addressId))
        .catch(fallBackTo(() => fallbackContent(raw))),
    frame: (raw, { view, remote, addressId }) =>
      leastBusyOpener()
        .run({ kind: 'frame', raw, view, remote }, waitedPriority(addressId))
        .catch(fallBackTo(fallbackFrame)),
    attachment: (raw, index, options = {}) =>
      leastBusyOpener()
        .run({ kind: 'attachment', raw, index }, waitedPriority(options.addressId))
        .catch(fallBackTo(() => undefined)),
    contains: (raw, wanted, options = {}) =>
      leastBusyOpener()
        // A search may take long. Whoever opens a message comes first.
        .run(
          { kind: 'contains', raw, wanted, as: options.as ?? 'pattern' },
          { ...waitedPriority(options.addressId), waited: false },
        )
        .catch(fallBackTo(() => wanted.map(() => false))),
    image: (raw, index, options = {}) =>
      leastBusyOpener()
        .run({ kind: 'image', raw, index }, waitedPriority(options.addressId))
        .catch(fallBackTo(() => undefined)),
    archive: (raw, options = {}) =>
      leastBusyOpener()
        .run({ kind: 'archive', raw }, waitedPriority(options.addressId))
        .catch(fallBackTo(() => undefined)),
    inspect: (raw, options = {}) =>
      leastBusyOpener()
        .run({ kind: 'inspect', raw }, waitedPriority(options.addressId))
        .catch(fallBackTo(() => undefined)),
    async close() {
      await Promise.all([firstLooks, ...openers, authenticator].map((thread) => thread.close()))
    },
  }
}

import { MayflyError } from '#core/errors.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'
import type { Authentication } from '#core/mailbox/message.ts'
import { fallbackContent, frameOf } from './content.ts'
import { fallbackSummary } from './fallback.ts'
import { partialSummary } from './first-look.ts'
import type { JobTurn } from './job-queue.ts'
import { defaultParseLimits, type ParseLimits } from './limits.ts'
import { JobError, ReaderThread, type ThreadOptions } from './thread.ts'
import { turnOf } from './turns.ts'

export interface ReaderOptions {
  limits?: Partial<ParseLimits>
  /** Threads that parse, 1 or 2. */
  threads?: number
  /** Milliseconds for parsing one mail. */
  timeout?: number
  /** Bytes of heap for each thread. */
  memory?: number
  /** Bytes of mail that may wait for each thread; more is refused with `unavailable`. */
  queueBytes?: number
  /** DNS servers as `address` or `address:port`; empty: the system's. */
  dnsServers?: readonly string[]
  /** Milliseconds for SPF, DKIM and DMARC of one mail, and how many mails are checked side by side. */
  authenticationTimeout?: number
  authenticationsAtOnce?: number
}

const MAX_THREADS = 2
/** Milliseconds until a thread is killed at a first look that does not keep to its budget. */
const LOOK_TIMEOUT = 2000
/** Milliseconds until a thread that nobody needs gives its memory back. */
const IDLE = 30_000
const notLookedUp: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }

/** What is the mail's fault gets a lesser answer; what is not (a full queue, a stop) is told, so that nobody keeps that answer. */
const orElse =
  <T>(lesser: () => T) =>
  (error: unknown): T => {
    if (error instanceof MayflyError) throw error
    return lesser()
  }

/** Turns of those who open mail go round by who they are. */
const readerTurn = (reader = ''): JobTurn => ({ outer: '', inner: reader, waited: true })

/**
 * Reads mail in threads: one takes a first look at what comes, some read what is opened, one waits for DNS, so that neither strangers'
 * mail nor slow name servers hold up an inbox.
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
  const parser = (more: Partial<ThreadOptions>): ReaderThread =>
    new ReaderThread({
      entry: new URL('./worker.ts', import.meta.url),
      workerData: { ...defaultParseLimits, ...limits },
      timeout,
      memory,
      concurrency: 1,
      queueBytes,
      ...more,
    })
  // What is read whole may take seconds: nothing of it stands before a first look.
  const looker = parser({ timeout: Math.min(timeout, LOOK_TIMEOUT) })
  const openers = Array.from({ length: Math.max(1, Math.min(threads, MAX_THREADS)) }, () => parser({ idle: IDLE }))
  // A thread of its own also means: a hang in a signature check can be killed without losing a parse.
  const authenticator = new ReaderThread({
    entry: new URL('./authenticate-worker.ts', import.meta.url),
    workerData: { dnsServers, timeout: authenticationTimeout },
    timeout: authenticationTimeout * 2,
    memory,
    concurrency: authenticationsAtOnce,
    queueBytes,
  })
  const opener = (): ReaderThread => openers.reduce((one, other) => (other.backlog < one.backlog ? other : one))

  return {
    get backlog() {
      return looker.backlog
    },
    summarize(raw, envelope, { waited = false, whole = false } = {}) {
      const turn = { ...turnOf(envelope), waited }
      const unreadable = () => fallbackSummary(raw, envelope.recipient)
      if (whole) return opener().run({ kind: 'summarize', raw, envelope }, turn).catch(orElse(unreadable))
      return looker.run({ kind: 'look', raw, envelope }, turn).catch((error: unknown) => {
        // What the thread died of may be read by one that has more time.
        if (error instanceof MayflyError || error instanceof JobError) return orElse(unreadable)(error)
        return partialSummary(raw, envelope)
      })
    },
    authenticate: (raw, envelope) =>
      authenticator
        .run({ kind: 'authenticate', raw, envelope }, { ...turnOf(envelope), waited: false })
        .catch(orElse(() => notLookedUp)),
    forward: (raw, envelope, request) =>
      authenticator
        .run({ kind: 'forward', raw, envelope, request }, { ...turnOf(envelope), waited: true })
        .catch((error: unknown) => {
          // Only the key makes this job reject; all else it answers.
          if (error instanceof JobError) throw error
          return orElse(() => ({ authentication: notLookedUp, head: new Uint8Array() }))(error)
        }),
    report: (raw) =>
      opener()
        .run({ kind: 'report', raw })
        .catch(orElse(() => undefined)),
    content: (raw, options = {}) =>
      opener()
        .run({ kind: 'content', raw, outline: options.outline ?? false }, readerTurn(options.reader))
        .catch(orElse(() => fallbackContent(raw))),
    frame: (raw, { view, remote, reader }) =>
      opener()
        .run({ kind: 'frame', raw, view, remote }, readerTurn(reader))
        .catch(orElse(() => frameOf(fallbackContent(raw), view))),
    attachment: (raw, index, options = {}) =>
      opener()
        .run({ kind: 'attachment', raw, index }, readerTurn(options.reader))
        .catch(orElse(() => undefined)),
    async close() {
      await Promise.all([looker, ...openers, authenticator].map((thread) => thread.close()))
    },
  }
}

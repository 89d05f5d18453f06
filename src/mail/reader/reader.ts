import { MayflyError } from '#core/errors.ts'
import type { Authentication } from '#core/message.ts'
import type { MailReader } from '#core/ports.ts'
import { fallbackContent } from './content.ts'
import { fallbackSummary } from './fallback.ts'
import { defaultParseLimits, type ParseLimits } from './limits.ts'
import { JobError, ReaderThread } from './thread.ts'

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
const notLookedUp: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }

/** What is the mail's fault gets a lesser answer; what is not (a full queue, a stop) is told, so that nobody keeps that answer. */
const orElse =
  <T>(lesser: () => T) =>
  (error: unknown): T => {
    if (error instanceof MayflyError) throw error
    return lesser()
  }

/** Reads mail in threads: some parse, one waits for DNS, so that slow name servers never hold up an inbox. */
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
  const parsers = Array.from(
    { length: Math.max(1, Math.min(threads, MAX_THREADS)) },
    () =>
      new ReaderThread({
        entry: new URL('./worker.ts', import.meta.url),
        workerData: { ...defaultParseLimits, ...limits },
        timeout,
        memory,
        concurrency: 1,
        queueBytes,
      }),
  )
  // A thread of its own also means: a hang in a signature check can be killed without losing a parse.
  const authenticator = new ReaderThread({
    entry: new URL('./authenticate-worker.ts', import.meta.url),
    workerData: { dnsServers, timeout: authenticationTimeout },
    timeout: authenticationTimeout * 2,
    memory,
    concurrency: authenticationsAtOnce,
    queueBytes,
  })
  const parser = (): ReaderThread => parsers.reduce((one, other) => (other.backlog < one.backlog ? other : one))

  return {
    get backlog() {
      return parsers.reduce((sum, { backlog }) => sum + backlog, authenticator.backlog)
    },
    summarize: (raw, envelope) =>
      parser()
        .run({ kind: 'summarize', raw, envelope })
        .catch(orElse(() => fallbackSummary(raw, envelope.recipient))),
    authenticate: (raw, envelope) =>
      authenticator.run({ kind: 'authenticate', raw, envelope }).catch(orElse(() => notLookedUp)),
    forward: (raw, envelope, request) =>
      authenticator.run({ kind: 'forward', raw, envelope, request }).catch((error: unknown) => {
        // Only the key makes this job reject; all else it answers.
        if (error instanceof JobError) throw error
        return orElse(() => ({ authentication: notLookedUp, head: new Uint8Array() }))(error)
      }),
    report: (raw) =>
      parser()
        .run({ kind: 'report', raw })
        .catch(orElse(() => undefined)),
    content: (raw, options = {}) =>
      parser()
        .run({ kind: 'content', raw, remote: options.remote })
        .catch(orElse(() => fallbackContent(raw))),
    attachment: (raw, index) =>
      parser()
        .run({ kind: 'attachment', raw, index })
        .catch(orElse(() => undefined)),
    async close() {
      await Promise.all([...parsers, authenticator].map((thread) => thread.close()))
    },
  }
}

import type { MailReader } from '#core/ports.ts'
import { fallbackContent } from './content.ts'
import { fallbackSummary } from './fallback.ts'
import { defaultParseLimits, type ParseLimits } from './limits.ts'
import { ReaderThread } from './thread.ts'

export interface ReaderOptions {
  limits?: ParseLimits
  /** Milliseconds for parsing one mail. */
  timeout?: number
  /** Bytes of heap for each of the two threads. */
  memory?: number
  /** DNS servers as `address` or `address:port`; empty: the system's. */
  dnsServers?: readonly string[]
  /** Milliseconds for SPF, DKIM and DMARC of one mail, and how many mails are checked side by side. */
  authenticationTimeout?: number
  authenticationsAtOnce?: number
}

/** Reads mail in two threads: one parses, one waits for DNS, so that slow name servers never hold up an inbox. */
export function createReader({
  limits = defaultParseLimits,
  timeout = 5000,
  memory = 256 * 1024 * 1024,
  dnsServers = [],
  authenticationTimeout = 10_000,
  authenticationsAtOnce = 32,
}: ReaderOptions = {}): MailReader {
  const shared = { limits, memory, authentication: { dnsServers, timeout: authenticationTimeout } }
  const parser = new ReaderThread({ ...shared, timeout, concurrency: 1 })
  // A thread of its own also means: a hang in a signature check can be killed without losing a parse.
  const authenticator = new ReaderThread({
    ...shared,
    timeout: authenticationTimeout * 2,
    concurrency: authenticationsAtOnce,
  })

  return {
    get backlog() {
      return parser.backlog + authenticator.backlog
    },
    summarize: (raw, envelope) =>
      parser.run({ kind: 'summarize', raw, envelope }).catch(() => fallbackSummary(raw, envelope.recipient)),
    authenticate: (raw, envelope) =>
      authenticator
        .run({ kind: 'authenticate', raw, envelope })
        .catch(() => ({ spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' })),
    content: (raw, options = {}) =>
      parser.run({ kind: 'content', raw, remote: options.remote }).catch(() => fallbackContent(raw)),
    attachment: (raw, index) => parser.run({ kind: 'attachment', raw, index }).catch(() => undefined),
    async close() {
      await Promise.all([parser.close(), authenticator.close()])
    },
  }
}

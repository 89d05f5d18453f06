import type { SecureContext } from 'node:tls'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Receive } from '#features/receiving/index.ts'
import type { SmtpMemory } from './memory.ts'
import type { SmtpOptions } from './options.ts'
import type { SenderLimits } from './sender-limits.ts'

/** The dependencies of a dialogue. */
export interface DialogueDeps {
  options: SmtpOptions
  receive: Receive
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** The memory for the messages of this client. */
  share: SmtpMemory
  senders: SenderLimits
  /** Returns the context for the next handshake. */
  secureContext: () => Promise<SecureContext>
}

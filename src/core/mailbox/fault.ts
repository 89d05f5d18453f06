/** When a fault happens: at the reply to RCPT TO, or at the message itself. */
export type FaultStage = 'rcpt' | 'data'

/**
 * A fault that the owner of an address chose to test a sender.
 * - `reject`: the reply `code`, `enhancedCode` and `text`.
 * - `delay`: the reply comes after `seconds`. At `data`, this is the reply to the DATA command.
 * - `close`: the connection is closed without a reply.
 * - `limit`: the reply is 421 if there were more than `perMinute` attempts in 60 seconds.
 *
 * `first`: only for the first attempts. Default: always.
 */
export type FaultRule = { at: FaultStage; first?: number } & (
  | { action: 'reject'; code: number; enhancedCode?: string; text?: string }
  | { action: 'delay'; seconds: number }
  | { action: 'close' }
  | { action: 'limit'; perMinute: number }
)

export const FAULT_RULES_MAX = 10
/** All delays of one reply together. RFC 5321 4.5.3.2 lets senders wait for 5 minutes. In seconds. */
export const FAULT_DELAY_MAX = 60

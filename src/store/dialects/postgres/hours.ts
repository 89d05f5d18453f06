import type { MessageKey } from '#core/mailbox/message-store.ts'

export const HOUR = 3_600_000
const DAY = 24 * HOUR

/** By how long mail is kept (up to), how far the partitions are apart that it shares: few for what is kept long. */
const STEPS = [
  { kept: 2 * DAY, step: HOUR },
  { kept: 31 * DAY, step: DAY },
  { kept: Infinity, step: 10 * DAY },
]

type Kept = Pick<MessageKey, 'receivedAt' | 'expiresAt'>

const stepOf = ({ receivedAt, expiresAt }: Kept): number =>
  STEPS.find(({ kept }) => expiresAt - receivedAt <= kept)?.step ?? HOUR

/** Whether the message has the partition of its own hour. */
export const isHourly = (message: Kept): boolean => stepOf(message) === HOUR

/**
 * When the partition with the message may be dropped: the hour in which it ends, rounded up. What is kept for longer
 * than two days shares the partition of a day, or of ten days. In milliseconds since the epoch, like all times.
 */
export function dropAt(message: Kept): number {
  const step = stepOf(message)
  return Math.ceil(message.expiresAt / step) * step
}

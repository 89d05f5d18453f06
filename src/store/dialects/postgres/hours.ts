import type { MessageKey } from '#core/mailbox/message-store.ts'
import { HOUR, DAY } from '#core/time.ts'

/**
 * The width of the partitions, by how long a message is kept (at most `kept`): messages with a long lifetime share
 * fewer partitions. In milliseconds.
 */
const STEPS = [
  { kept: 2 * DAY, step: HOUR },
  { kept: 31 * DAY, step: DAY },
  { kept: Infinity, step: 10 * DAY },
]

type Kept = Pick<MessageKey, 'receivedAt' | 'expiresAt'>

const stepOf = ({ receivedAt, expiresAt }: Kept): number =>
  STEPS.find(({ kept }) => expiresAt - receivedAt <= kept)?.step ?? HOUR

/** Whether the message is stored in an hourly partition. */
export const isHourly = (message: Kept): boolean => stepOf(message) === HOUR

/**
 * Returns when the partition of the message may be dropped: the end of the hour in which it expires. Messages that are
 * kept longer than two days share the partition of a day, or of ten days. In milliseconds since the epoch.
 */
export function dropAt(message: Kept): number {
  const step = stepOf(message)
  return Math.ceil(message.expiresAt / step) * step
}

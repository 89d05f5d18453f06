import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

const LOWEST = constants.priority.PRIORITY_LOW

/**
 * Puts the calling thread behind the others where the processor is short: an acknowledgement must not wait for the parsing
 * of mails that were acknowledged before. It counts from the priority that the thread has: the program may have been started
 * with a lower one. Linux has a priority for each thread (setpriority(2)); elsewhere nothing happens.
 */
export function stepBack(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, Math.min(getPriority(thread) + constants.priority.PRIORITY_BELOW_NORMAL, LOWEST))
  } catch {
    // No Linux, or no /proc: all threads are equal there.
  }
}

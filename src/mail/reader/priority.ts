import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Puts the calling thread behind the others where the processor is short: an acknowledgement must not wait for the parsing
 * of mails that were acknowledged before. Linux has a priority for each thread (setpriority(2)); elsewhere nothing happens.
 */
export function stepBack(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // No Linux, or no /proc: all threads are equal there.
  }
}

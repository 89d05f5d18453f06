import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

const LOWEST = constants.priority.PRIORITY_LOW

/**
 * Lowers the priority of the calling thread, so that accepting messages does not wait for the parsing of earlier ones
 * when the CPU is busy. The new priority is relative to the current one, because the program may have been started with
 * a lower priority. Only Linux has a priority per thread (setpriority(2)). Elsewhere this does nothing.
 */
export function stepBack(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, Math.min(getPriority(thread) + constants.priority.PRIORITY_BELOW_NORMAL, LOWEST))
  } catch {
    // Not Linux, or no /proc.
  }
}

import { openSync, writeSync } from 'node:fs'

/** How long a line waits for a slow reader, in milliseconds. */
const MAX_WAIT = 1000
/**
 * For how long after a dropped line further lines do not wait, in milliseconds, so that a slow reader rarely blocks the
 * service.
 */
const NO_WAIT_AFTER_DROP = 60_000
/** How often to try again meanwhile, in milliseconds. */
const RETRY = 10

const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * A destination of pino that writes each line before it returns, and drops what cannot be written: a full disk or a
 * reader that has gone away must not end the service. In these cases pino's own destination throws, or keeps all lines
 * in memory.
 */
export function createLogFile(file: number | string): { write(line: string): void } {
  const descriptor = typeof file === 'number' ? file : openSync(file, 'a')
  /** Whether the last line was written in part. */
  let isCut = false
  /** Lines do not wait until this time, on the clock of `performance.now`. */
  let noWaitUntil = 0
  return {
    write(line) {
      const bytes = Buffer.from(isCut ? `\n${line}` : line)
      const now = performance.now()
      const giveUpAt = now < noWaitUntil ? now : now + MAX_WAIT
      let written = 0
      let isFailing = false
      while (written < bytes.length && !isFailing) {
        try {
          written += writeSync(descriptor, bytes, written)
        } catch (error) {
          isFailing = (error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() >= giveUpAt
          if (!isFailing) Atomics.wait(pause, 0, 0, RETRY)
        }
      }
      if (isFailing) noWaitUntil = performance.now() + NO_WAIT_AFTER_DROP
      if (written > 0) isCut = isFailing
    },
  }
}

import { openSync, writeSync } from 'node:fs'

/** How long to wait for a pipe whose reader is slow, in milliseconds. */
const PATIENCE = 1000
/** How long after a dropped line no other waits, in milliseconds, so that a slow reader rarely blocks the service. */
const IMPATIENCE = 60_000
/** How often to try again meanwhile, in milliseconds. */
const RETRY = 10

const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * A destination of pino that writes each line before it returns, and drops what cannot be written: a full disk or a
 * reader that has gone away must not end the service. In these cases pino's own destination throws, or keeps all lines in
 * memory.
 */
export function createLogFile(file: number | string): { write(line: string): void } {
  const descriptor = typeof file === 'number' ? file : openSync(file, 'a')
  /** Whether the last line was written in part. */
  let isCut = false
  /** Until when lines do not wait, on the clock of `performance.now`. */
  let impatientUntil = 0
  return {
    write(line) {
      const bytes = Buffer.from(isCut ? `\n${line}` : line)
      const now = performance.now()
      const giveUpAt = now < impatientUntil ? now : now + PATIENCE
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
      if (isFailing) impatientUntil = performance.now() + IMPATIENCE
      if (written > 0) isCut = isFailing
    },
  }
}

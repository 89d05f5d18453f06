import { METADATA, type Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, MINUTE, SECOND } from '#core/time.ts'

interface ClockWatchDeps {
  store: Pick<Store, 'ensureMetadata' | 'setMetadata'>
  clock: Clock
  /** A monotonic clock, in milliseconds. */
  elapsed?: () => number
  logger: Logger
}

export interface ClockWatch {
  /**
   * Returns whether the clock can be trusted to decide what has expired. It returns false for ten minutes after the
   * clock jumped ahead by more than a minute, or after a start at which it is more than ten minutes ahead of the time
   * last stored. A clock that is wrong looks the same as a service that was stopped for that long, and removed data
   * cannot be restored.
   */
  isSteady(): Promise<boolean>
}

/** The largest accepted jump of the clock while the service runs. */
const MAX_JUMP = MINUTE
/** The largest accepted difference from the time last stored, at a start. */
const MAX_JUMP_AT_START = 10 * MINUTE
/** The time for which a clock that jumped ahead must then run steadily before it is trusted again. */
const CONFIRMED_AFTER = 10 * MINUTE
/** How often the time is stored. */
const WRITE_INTERVAL = MINUTE

interface Reading {
  /** Milliseconds since the epoch. */
  time: number
  /** Milliseconds of the monotonic clock. */
  at: number
}

interface Trusted extends Reading {
  /** The largest accepted jump ahead from this reading. Several checks may use a reading while one replaces it. */
  tolerance: number
}

/** Detects a clock that jumps ahead, by comparing it with the monotonic clock and with the time last stored. */
export function createClockWatch({
  store,
  clock,
  elapsed = () => performance.now(),
  logger,
}: ClockWatchDeps): ClockWatch {
  let trusted: Promise<Trusted> | undefined
  let suspect: Reading | undefined
  let writtenAt = -Infinity

  const startedAt: Reading = { time: clock(), at: elapsed() }
  /** Reads the time last stored. Another node may have written it since this node started. */
  async function readStored(): Promise<Trusted> {
    const at = elapsed()
    // The default is the time that the clock shows now if it was not set since the start.
    const expected = startedAt.time + at - startedAt.at
    const time = Number(await store.ensureMetadata(METADATA.clock, String(expected)))
    return { at, time, tolerance: MAX_JUMP_AT_START }
  }
  const ahead = (from: Reading, to: Reading): number => to.time - from.time - (to.at - from.at)

  async function trust(reading: Reading): Promise<true> {
    suspect = undefined
    trusted = Promise.resolve({ ...reading, tolerance: MAX_JUMP })
    if (reading.at - writtenAt < WRITE_INTERVAL) return true
    writtenAt = reading.at
    try {
      await store.setMetadata(METADATA.clock, String(reading.time))
    } catch (error) {
      // The clock is correct all the same, and the sweep may be what frees a full disk.
      writtenAt = -Infinity
      logger.warn({ err: error }, 'the time could not be stored')
    }
    return true
  }

  return {
    async isSteady() {
      trusted ??= readStored().catch((error: unknown) => {
        trusted = undefined
        throw error
      })
      const known = await trusted
      const now = { time: clock(), at: elapsed() }
      const jump = ahead(known, now)
      const secondsAhead = Math.round(jump / SECOND)
      if (jump <= known.tolerance) {
        if (suspect) logger.info({ secondsAhead }, 'the clock is correct again')
        return trust(now)
      }
      if (!suspect || Math.abs(ahead(suspect, now)) > MAX_JUMP) {
        suspect = now
        const minutes = CONFIRMED_AFTER / MINUTE
        logger.warn(
          { secondsAhead },
          `the clock jumped ahead, or the service was stopped; expired data is not removed for ${minutes} minutes`,
        )
      }
      if (now.at - suspect.at < CONFIRMED_AFTER) return false
      logger.info({ secondsAhead }, 'the clock has been steady since its jump; expired data is removed again')
      return trust(now)
    },
  }
}

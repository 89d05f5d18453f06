import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, MINUTE, SECOND } from '#core/time.ts'

export interface ClockWatchDeps {
  store: Pick<Store, 'ensureMetadata' | 'setMetadata'>
  clock: Clock
  /** Milliseconds that only ever grow, whatever the clock does. */
  elapsed?: () => number
  logger: Logger
}

export interface ClockWatch {
  /**
   * Whether the clock can be trusted to say what has expired. False for ten minutes after it went ahead by more than a minute, or
   * after a start at which it is more than ten minutes ahead of what the store last saw: a service that stood still for so long and a
   * clock that is wrong look the same, and what is removed does not come back.
   */
  isSteady(): Promise<boolean>
}

/** How far the clock may go ahead of the time that has passed, while it runs and since it last ran. */
const STEP = MINUTE
const PAUSE = 10 * MINUTE
/** How long a clock that went ahead must keep its time. */
const CONFIRMED_AFTER = 10 * MINUTE
/** How often the store is told the time. */
const WRITE_INTERVAL = MINUTE
const FACT = 'clock'

interface Reading {
  time: number
  at: number
}

/** Notices a clock that goes ahead, by the monotonic clock and by the time that the store last saw. */
export function createClockWatch({
  store,
  clock,
  elapsed = () => performance.now(),
  logger,
}: ClockWatchDeps): ClockWatch {
  let trusted: Promise<Reading> | undefined
  let tolerance = PAUSE
  let doubted: Reading | undefined
  let writtenAt = -Infinity

  const born: Reading = { time: clock(), at: elapsed() }
  /** The time that the store last saw, as of now: another node may have written it since this one started. */
  async function last(): Promise<Reading> {
    const at = elapsed()
    // Default: the time that the clock shows now if it was not set since the start.
    const expected = born.time + at - born.at
    return { at, time: Number(await store.ensureMetadata(FACT, String(expected))) }
  }
  const ahead = (from: Reading, to: Reading): number => to.time - from.time - (to.at - from.at)

  async function trust(reading: Reading): Promise<true> {
    doubted = undefined
    tolerance = STEP
    trusted = Promise.resolve(reading)
    if (reading.at - writtenAt < WRITE_INTERVAL) return true
    writtenAt = reading.at
    await store.setMetadata(FACT, String(reading.time))
    return true
  }

  return {
    async isSteady() {
      trusted ??= last().catch((error: unknown) => {
        trusted = undefined
        throw error
      })
      const known = await trusted
      const now = { time: clock(), at: elapsed() }
      const by = ahead(known, now)
      const secondsAhead = Math.round(by / SECOND)
      if (by <= tolerance) {
        if (doubted) logger.info({ secondsAhead }, 'The clock is right again')
        return trust(now)
      }
      if (!doubted || Math.abs(ahead(doubted, now)) > STEP) {
        doubted = now
        const minutes = CONFIRMED_AFTER / MINUTE
        logger.warn(
          { secondsAhead },
          `The clock went ahead, or the service stood still: nothing that has expired is removed for ${minutes} minutes`,
        )
      }
      if (now.at - doubted.at < CONFIRMED_AFTER) return false
      logger.info({ secondsAhead }, 'The clock kept its time: what has expired is removed again')
      return trust(now)
    },
  }
}

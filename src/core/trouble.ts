/** Milliseconds. Trouble that comes and goes is reported once in this time. */
const QUIET = 60_000

/** A lasting fault, reported when it starts and when it ends, so that it does not fill the log. */
export interface Trouble {
  /** Reports the fault unless it is known already. */
  start(error: unknown): void
  /** Reports the end if the start was reported. */
  end(): void
}

export function createTrouble(
  report: { start(error: unknown): void; end(): void },
  clock: () => number = () => performance.now(),
): Trouble {
  let startedAt = -Infinity
  let isReported = false
  return {
    start(error) {
      if (isReported || clock() - startedAt < QUIET) return
      startedAt = clock()
      isReported = true
      report.start(error)
    },
    end() {
      if (isReported) report.end()
      isReported = false
    },
  }
}

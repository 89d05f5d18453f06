import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'

export interface PeriodicDeps {
  /** Tells which node is the leader, which alone does the work. Without it, every node does. */
  store?: Pick<Store, 'isLeader'>
  clock: Clock
  logger: Logger
  /** The name of the work in the log. */
  name: string
  /** The time between the starts of two runs, in milliseconds. */
  interval: number
  /** Whether the first run is soon after the start. Default: an interval after the start. */
  atStart?: boolean
  /** Called before a run that is due. If it returns false, the run is postponed. */
  mayRun?(): Promise<boolean>
  /**
   * Does one run. `stopping` aborts when the run should finish early. A failure is logged, and the next run is an
   * interval later.
   */
  work(stopping: AbortSignal): Promise<void>
  /** Called at each check with whether this node is the leader. */
  onLeaderCheck?(isLeader: boolean): void
}

/**
 * The time between two checks of whether this node is the leader, in milliseconds. The previous leader may have died.
 */
const CHECK_INTERVAL = 5000

export interface Periodic {
  start(): void
  /** Aborts a current run, and resolves when it has finished its step. */
  stop(): Promise<void>
}

/** Runs work at an interval, and never two runs at once. */
export function createPeriodic({ store, clock, logger, interval, work, ...deps }: PeriodicDeps): Periodic {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()

  return {
    start() {
      // Two clocks: the wall clock may be set back, and the monotonic clock stops while the machine sleeps.
      let ranAt = deps.atStart ? [-Infinity, -Infinity] : [clock(), performance.now()]
      const check = async (): Promise<void> => {
        const isLeader = store === undefined || (await store.isLeader())
        deps.onLeaderCheck?.(isLeader)
        const now = [clock(), performance.now()]
        const due = now.some((time, i) => time - (ranAt[i] ?? 0) >= interval)
        if (!isLeader || stopping.signal.aborted || !due) return
        if (deps.mayRun && !(await deps.mayRun())) return
        ranAt = now
        await work(stopping.signal)
      }
      const schedule = (): void => {
        timer = setTimeout(
          () => {
            current = check()
              .catch((error: unknown) => logger.error({ err: error }, `${deps.name} failed`))
              .finally(() => stopping.signal.aborted || schedule())
          },
          Math.min(interval, CHECK_INTERVAL),
        )
      }
      schedule()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await current
    },
  }
}

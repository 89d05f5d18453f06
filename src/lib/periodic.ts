import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'

export interface PeriodicDeps {
  store: Pick<Store, 'isLeader'>
  clock: Clock
  logger: Logger
  /** What the log calls it. */
  name: string
  /** Milliseconds between the beginnings of two runs. */
  interval: number
  /** Whether the first run is soon after the start; else it is an interval later. */
  atStart?: boolean
  /** Asked before a run that is due; where it answers false the run waits. */
  mayRun?(): Promise<boolean>
  /** One run. `stopping` aborts when it should come to an end; a failure is logged, and the next run comes in its time. */
  work(stopping: AbortSignal): Promise<void>
  /** Told each time whether the periodic work of all nodes is this one's. */
  onTurn?(ours: boolean): void
}

/** How often a node asks whether the periodic work is its own now; the one that had it may have died. */
const TURN_INTERVAL = 5000

export interface Periodic {
  start(): void
  /** Resolves when a run under way is through its step. */
  stop(): Promise<void>
}

/** Work that one node of all does again and again; never two runs at a time. */
export function createPeriodic({ store, clock, logger, interval, work, ...deps }: PeriodicDeps): Periodic {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()

  return {
    start() {
      // By two clocks: one may be set back, and the monotonic one stands still while the machine sleeps.
      let ranAt = deps.atStart ? [-Infinity, -Infinity] : [clock(), performance.now()]
      const turn = async (): Promise<void> => {
        const ours = await store.isLeader()
        deps.onTurn?.(ours)
        const now = [clock(), performance.now()]
        const due = now.some((time, i) => time - (ranAt[i] ?? 0) >= interval)
        if (!ours || stopping.signal.aborted || !due) return
        if (deps.mayRun && !(await deps.mayRun())) return
        ranAt = now
        await work(stopping.signal)
      }
      const next = (): void => {
        timer = setTimeout(
          () => {
            current = turn()
              .catch((error: unknown) => logger.error({ err: error }, `${deps.name} failed`))
              .finally(() => stopping.signal.aborted || next())
          },
          Math.min(interval, TURN_INTERVAL),
        )
      }
      next()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await current
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { faultFields, isStoreFault } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'
import { MINUTE } from '#core/time.ts'
import { createTrouble } from '#core/trouble.ts'

export interface Dispatcher {
  /** Starts running due jobs. */
  start(): void
  /** Looks for due jobs now. */
  wake(): void
  /** Stops taking jobs, and gives running jobs `grace` milliseconds to finish. */
  stop(grace: number): Promise<void>
}

export interface DispatcherDeps<Job> {
  /** The name of the jobs in the log. */
  name: string
  logger: Logger
  /**
   * Leases up to `limit` due jobs, and none for the destinations in `except`. At most one for each destination, unless
   * `maxPerDestination` equals `maxAtOnce`.
   */
  take(options: { limit: number; except: readonly string[] }): Promise<readonly Job[]>
  /** Returns the key of the job's destination. */
  destination(job: Job): string
  /** Runs a job and stores its result. If it rejects, the job is due again when its lease ends. */
  run(job: Job): Promise<void>
  /** Called after each regular look for due jobs. */
  onLook(): Promise<void>
  /** The maximum number of jobs that run at once. */
  maxAtOnce: number
  /** The maximum number of jobs that run at once for one destination. */
  maxPerDestination: number
}

/**
 * How long a job is leased whose calls time out after `timeout`, in milliseconds: longer than they may take, and than the
 * clocks of two nodes differ. Only the jobs of a node that dies, and those whose result could not be
 * stored, wait for the end of their leases.
 */
export const leaseFor = (timeout: number): number => 2 * timeout + 2 * MINUTE

/** The time between two looks for due jobs, in milliseconds. */
const LOOK_INTERVAL = 2000

/**
 * Runs jobs that wait in the store. Every node runs a dispatcher. Many jobs run at once but only a few for one
 * destination, so that a slow destination does not delay others.
 */
export function createDispatcher<Job>(deps: DispatcherDeps<Job>): Dispatcher {
  const { name, logger, destination } = deps
  /** The number of running jobs, by destination. */
  const busy = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let started = false
  let stopped = false
  let again = false
  let current: Promise<void> | undefined
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** Whether something failed since the last regular look began. */
  let hasFailed = false
  const trouble = createTrouble({
    start: (error) => logger.error(faultFields(error), `${name} failed`),
    end: () => logger.info({}, `${name}: jobs run again`),
  })

  function fail(error: unknown): void {
    hasFailed = true
    trouble.start(error)
  }

  const runSafely = (job: Job): Promise<void> =>
    deps.run(job).catch((error: unknown) => {
      if (stopped) return
      if (isStoreFault(error)) fail(error)
      else logger.error({ err: error }, `${name}: result not stored`)
    })

  function launch(job: Job): void {
    const key = destination(job)
    busy.set(key, (busy.get(key) ?? 0) + 1)
    const work = runSafely(job).finally(() => {
      running.delete(work)
      const left = (busy.get(key) ?? 1) - 1
      if (left === 0) busy.delete(key)
      else busy.set(key, left)
      wake()
    })
    running.add(work)
  }

  async function take(): Promise<void> {
    const limit = deps.maxAtOnce - running.size
    if (limit <= 0) return
    const except = [...busy].filter(([, jobs]) => jobs >= deps.maxPerDestination).map(([key]) => key)
    const due = await deps.take({ limit, except })
    due.forEach(launch)
    again ||= due.length > 0
  }

  async function takeWhileDue(): Promise<void> {
    try {
      while (again && !stopped) {
        again = false
        await take()
      }
    } catch (error) {
      fail(error)
    } finally {
      current = undefined
    }
  }

  function wake(): void {
    again = true
    if (started && !stopped) current ??= takeWhileDue()
  }

  async function look(): Promise<void> {
    hasFailed = false
    wake()
    await current
    await deps.onLook().catch(fail)
    if (!hasFailed) trouble.end()
    if (!stopped) timer = setTimeout(() => (looking = look()), LOOK_INTERVAL)
  }

  /** Resolves when no job is being taken or running. */
  async function settled(): Promise<void> {
    await Promise.all([looking, current])
    await Promise.all(running)
  }

  return {
    wake,
    start() {
      started = true
      looking = look()
    },
    async stop(grace) {
      stopped = true
      clearTimeout(timer)
      await Promise.race([settled(), sleep(grace, undefined, { ref: false })])
    },
  }
}

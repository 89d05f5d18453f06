import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#core/telemetry.ts'

export interface Dispatcher {
  /** Begins to do what is due. */
  start(): void
  /** Looks now whether something is due. */
  wake(): void
  /** Jobs that are under way get `grace` milliseconds; the others wait for the next start. */
  stop(grace: number): Promise<void>
}

export interface DispatcherDeps<Job> {
  /** What the log calls the jobs. */
  name: string
  logger: Logger
  /** Up to `limit` that are due, none to `except`, one for each destination at a call; nobody else has them meanwhile. */
  take(options: { limit: number; except: readonly string[] }): Promise<readonly Job[]>
  /** Where a job goes. */
  destination(job: Job): string
  /** Does a job and writes down what became of it; one that can't be written down comes again when its lease ends. */
  run(job: Job): Promise<void>
  /** Called at each look. */
  onLook(): Promise<void>
  /** Jobs at one time, in all and to one destination. */
  maxAtOnce: number
  maxPerDestination: number
}

/** How often it is looked what is due, in milliseconds. */
const LOOK_INTERVAL = 2000

/** Does jobs that wait in the store, as every node does: many at once, few to one destination, so that a slow one holds up itself alone. */
export function createDispatcher<Job>(deps: DispatcherDeps<Job>): Dispatcher {
  const { name, logger, destination } = deps
  /** Jobs that are under way, to each destination. */
  const busy = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let started = false
  let stopped = false
  let again = false
  let current: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const attempt = (job: Job): Promise<void> =>
    deps.run(job).catch((error: unknown) => {
      if (!stopped) logger.error({ err: error }, `${name}: not written down`)
    })

  function begin(job: Job): void {
    const key = destination(job)
    busy.set(key, (busy.get(key) ?? 0) + 1)
    const work = attempt(job).finally(() => {
      underWay.delete(work)
      const left = (busy.get(key) ?? 1) - 1
      if (left === 0) busy.delete(key)
      else busy.set(key, left)
      wake()
    })
    underWay.add(work)
  }

  async function take(): Promise<void> {
    const limit = deps.maxAtOnce - underWay.size
    if (limit <= 0) return
    const except = [...busy].filter(([, jobs]) => jobs >= deps.maxPerDestination).map(([key]) => key)
    const due = await deps.take({ limit, except })
    due.forEach(begin)
    again ||= due.length > 0
  }

  async function rounds(): Promise<void> {
    try {
      while (again && !stopped) {
        again = false
        await take()
      }
    } catch (error) {
      logger.error({ err: error }, `${name} failed`)
    } finally {
      current = undefined
    }
  }

  function wake(): void {
    again = true
    if (started && !stopped) current ??= rounds()
  }

  async function look(): Promise<void> {
    wake()
    await current
    await deps.onLook().catch((error: unknown) => logger.error({ err: error }, `${name} failed`))
    if (!stopped) timer = setTimeout(() => void look(), LOOK_INTERVAL)
  }

  return {
    wake,
    start() {
      started = true
      void look()
    },
    async stop(grace) {
      stopped = true
      clearTimeout(timer)
      await Promise.race([Promise.all([current, ...underWay]), sleep(grace, undefined, { ref: false })])
    },
  }
}

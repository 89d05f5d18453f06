import type { Route } from './driver.ts'
import type { Statement, StatementResult, WalState } from './protocol.ts'
import type { Thread } from './thread.ts'

export interface CheckpointOptions {
  /** WAL size in pages at which the checkpointer thread starts moving pages to the database file. */
  walPages: number
  /** WAL size in pages at which the writer waits until all pages are moved. This bounds the WAL under any load. */
  walPagesMax: number
  /** How long after a deletion the WAL is emptied, in milliseconds, so that no deleted bytes stay in it. */
  afterDeletion: number
  /** Idle time after which the WAL is emptied, in milliseconds. */
  afterWrites: number
}

/** Decides when pages are moved from the WAL to the database file. */
interface Checkpoints {
  /** To be called after each commit. */
  wrote(wal: WalState): void
  /** To be called after each deletion. */
  deleted(): void
  /** Empties the WAL now. Resolves when it is empty, or when that failed. */
  emptied(): Promise<void>
  /** WAL size in pages after the last commit. */
  readonly pages: number
  /** Pages of the database file that new messages use before the file grows. */
  readonly free: number
  /** Whether the last attempt failed. */
  readonly failed: boolean
  /** Resolves when no checkpoint runs. None starts afterwards. */
  stop(): Promise<void>
}

/** How many remaining pages the writer moves itself: moving them blocks it for a few milliseconds. */
const REST = 1000
/** How many passes the checkpointer makes: pages are written while it works, and each pass leaves fewer. */
const PASSES = 5
/** How long the writer waits for readers that still need the WAL, in milliseconds. The next attempt follows soon. */
const READERS_WAIT = 20
/**
 * The same when the WAL has reached its maximum size. Queries of the service end within this time. A backup does not:
 * it keeps one snapshot while it copies, and incoming messages must not wait for it. The WAL then grows further, and
 * the next attempt comes after each growth by a quarter of the maximum. The free space that is reserved on the disk
 * includes the whole WAL.
 */
const READERS_WAIT_MAX = 250
const GROWTH = 0.25

const statement = (sql: string): Statement => ({ sql, parameters: [] })
const PASSIVE = [statement('pragma wal_checkpoint(passive)')]

interface CheckpointDeps {
  writer: Route
  checkpointer: Pick<Thread, 'run'>
  /** Syncs the database file. */
  syncFile: () => Promise<void>
  busyTimeout: number
  onError: (error: unknown) => void
}

export function createCheckpoints(deps: CheckpointDeps, options: CheckpointOptions): Checkpoints {
  const { writer, checkpointer, busyTimeout, onError } = deps
  let running: Promise<void> | undefined
  let bounding: Promise<void> | undefined
  /** The running pass. SQLite rejects a second checkpoint at the same time, without waiting. */
  let pass: Promise<StatementResult[]> | undefined
  let stopped = false
  let [pages, free] = [0, 0]
  /** Whether the last attempt failed. The next one then follows by timer, not with each commit. */
  let failed = false
  /** WAL size in pages at which the writer waits. */
  let boundAt = options.walPagesMax
  let deletion: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined

  const stateOf = (result: StatementResult | undefined): Omit<WalState, 'free'> & { busy: boolean } => {
    const [row] = typeof result === 'object' ? result : []
    return { pages: Number(row?.log ?? 0), checkpointed: Number(row?.checkpointed ?? 0), busy: row?.busy === 1 }
  }

  async function moveAlongside(): Promise<void> {
    for (let i = 0; i < PASSES && !bounding; i++) {
      pass = checkpointer.run('direct', PASSIVE)
      const [result] = await pass
      const state = stateOf(result)
      // SQLite syncs the file only with the last page. Without this sync, the writer would then wait for all moved
      // pages.
      await deps.syncFile()
      if (pages - state.checkpointed < REST) return
    }
  }

  /**
   * Moves the remaining pages and truncates the WAL. Returns false if a reader needed it for longer than `wait`
   * milliseconds.
   */
  async function truncate({ run }: Pick<Route, 'run'>, wait: number): Promise<boolean> {
    try {
      const [, result] = await run(
        'direct',
        [`pragma busy_timeout = ${wait}`, 'pragma wal_checkpoint(truncate)'].map(statement),
      )
      return !stateOf(result).busy
    } finally {
      await run('direct', [statement(`pragma busy_timeout = ${busyTimeout}`)])
    }
  }

  async function move(): Promise<void> {
    await moveAlongside()
    // If all pages are moved and no reader needs the WAL, the next commit of the writer starts it from the beginning.
    await writer.run('direct', PASSIVE)
  }

  /** Blocks writes until the running pass is over and the writer has moved the remaining pages. */
  async function bound(): Promise<void> {
    const alone = await writer.exclusive()
    try {
      await pass
      if (await truncate(alone, Math.min(busyTimeout, READERS_WAIT_MAX))) return
      boundAt = pages + options.walPagesMax * GROWTH
      onError(new Error(`A reader, such as a backup, prevents the database log from being emptied: ${pages} pages`))
    } finally {
      alone.release()
    }
  }

  async function empty(): Promise<void> {
    await moveAlongside()
    if (!(await truncate(writer, READERS_WAIT))) emptySoon()
  }

  function start(work: () => Promise<void>): Promise<void> {
    if (stopped) return Promise.resolve()
    const current = (running ?? Promise.resolve())
      .then(work)
      .then(() => (failed = false), fail)
      .then(() => {
        if (running === current) running = undefined
      })
    running = current
    return current
  }

  function fail(error: unknown): void {
    failed = true
    onError(error)
    emptySoon()
  }

  function emptySoon(): void {
    if (stopped) return
    deletion ??= setTimeout(() => {
      deletion = undefined
      void start(empty)
    }, options.afterDeletion).unref()
  }

  return {
    wrote(wal) {
      ;({ pages, free } = wal)
      if (pages < options.walPagesMax) boundAt = options.walPagesMax
      if (stopped || pages === 0) return
      if (idle) idle.refresh()
      else idle = setTimeout(() => pages > 0 && start(empty), options.afterWrites).unref()
      if (pages - wal.checkpointed >= options.walPages && !running && !failed) void start(move)
      if (pages >= boundAt && !failed)
        bounding ??= bound()
          .catch(fail)
          .finally(() => (bounding = undefined))
    },
    deleted: emptySoon,
    emptied: () => start(empty),
    get pages() {
      return pages
    },
    get free() {
      return free
    },
    get failed() {
      return failed
    },
    async stop() {
      stopped = true
      clearTimeout(deletion)
      clearTimeout(idle)
      await Promise.all([running, bounding])
    },
  }
}

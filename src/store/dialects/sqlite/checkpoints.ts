import type { Route } from './driver.ts'
import type { Statement, StatementResult, WalState } from './protocol.ts'
import type { Thread } from './thread.ts'

export interface CheckpointOptions {
  /** Pages in the log from which they are moved to the database file, by the thread of the checkpoints. */
  walPages: number
  /** Pages in the log from which the writer waits until all of them are moved: bounds the log under any load. */
  walPagesMax: number
  /** Milliseconds after a deletion until the log is emptied, so that nothing of what was deleted stays in it. */
  afterDeletion: number
  /** Milliseconds without a write until the log is emptied. */
  afterWrites: number
}

/** Decides when pages go from the log to the database file. */
export interface Checkpoints {
  /** To be told after each commit. */
  wrote(wal: WalState): void
  /** To be told of each deletion. */
  deleted(): void
  /** Pages in the log after the last commit. */
  readonly pages: number
  /** The last attempt failed. */
  readonly failed: boolean
  /** Resolves when nothing is under way; nothing begins after it. */
  stop(): Promise<void>
}

/** The rest that the writer moves itself, in pages: moving them stops it for a few milliseconds. */
const REST = 1000
/** While the checkpointer moves pages, more are written; each pass leaves less. */
const PASSES = 5
/** How long the writer waits for readers that still need the log, in milliseconds. The next attempt comes soon. */
const READERS_WAIT = 20
/**
 * The same once the log has reached its bound. Queries of the service end within it. A backup does not: it keeps one
 * snapshot for as long as it copies, and mail must not wait for it. Then the log grows on, and is tried again each time
 * it has grown by a quarter of its bound; the free space that is kept on the disk counts all of it.
 */
const READERS_WAIT_MAX = 250
const GROWTH = 0.25

const statement = (sql: string): Statement => ({ sql, parameters: [] })
const PASSIVE = [statement('pragma wal_checkpoint(passive)')]

export interface CheckpointDeps {
  writer: Route
  checkpointer: Pick<Thread, 'run'>
  /** Makes durable what was written to the database file. */
  syncFile: () => Promise<void>
  busyTimeout: number
  onError: (error: unknown) => void
}

export function createCheckpoints(deps: CheckpointDeps, options: CheckpointOptions): Checkpoints {
  const { writer, checkpointer, busyTimeout, onError } = deps
  let running: Promise<void> | undefined
  let bounding: Promise<void> | undefined
  /** The pass under way. SQLite refuses a second checkpoint at the same time, without waiting. */
  let pass: Promise<StatementResult[]> | undefined
  let stopped = false
  let pages = 0
  /** The last attempt failed; the next one comes with the timer, not with each commit. */
  let failed = false
  /** Pages in the log from which the writer waits. */
  let boundAt = options.walPagesMax
  let deletion: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined

  const stateOf = (result: StatementResult | undefined): WalState & { busy: boolean } => {
    const [row] = typeof result === 'object' ? result : []
    return { pages: Number(row?.log ?? 0), checkpointed: Number(row?.checkpointed ?? 0), busy: row?.busy === 1 }
  }

  async function moveAlongside(): Promise<void> {
    for (let i = 0; i < PASSES && !bounding; i++) {
      pass = checkpointer.run('direct', PASSIVE)
      const [result] = await pass
      const state = stateOf(result)
      // SQLite itself syncs the file with the last page only: then the writer would wait for all that was moved before.
      await deps.syncFile()
      if (pages - state.checkpointed < REST) return
    }
  }

  /** Moves the rest and cuts the log to nothing; false where a reader needed it for longer than `wait` milliseconds. */
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
    // The writer starts the log anew with its next commit where all of it is moved and no reader needs it.
    await writer.run('direct', PASSIVE)
  }

  /** Nothing is written until a pass under way is over and the writer has moved the rest. */
  async function bound(): Promise<void> {
    const alone = await writer.exclusive()
    try {
      await pass
      if (await truncate(alone, Math.min(busyTimeout, READERS_WAIT_MAX))) return
      boundAt = pages + options.walPagesMax * GROWTH
      onError(new Error(`A reader, such as a backup, keeps the log of the database from being emptied: ${pages} pages`))
    } finally {
      alone.release()
    }
  }

  async function empty(): Promise<void> {
    await moveAlongside()
    if (!(await truncate(writer, READERS_WAIT))) emptySoon()
  }

  function start(work: () => Promise<void>): void {
    if (stopped) return
    const current = (running ?? Promise.resolve())
      .then(work)
      .then(() => (failed = false), fail)
      .then(() => {
        if (running === current) running = undefined
      })
    running = current
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
      start(empty)
    }, options.afterDeletion).unref()
  }

  return {
    wrote(wal) {
      pages = wal.pages
      if (pages < options.walPagesMax) boundAt = options.walPagesMax
      if (stopped || pages === 0) return
      if (idle) idle.refresh()
      else idle = setTimeout(() => pages > 0 && start(empty), options.afterWrites).unref()
      if (pages - wal.checkpointed >= options.walPages && !running && !failed) start(move)
      if (pages >= boundAt && !failed)
        bounding ??= bound()
          .catch(fail)
          .finally(() => (bounding = undefined))
    },
    deleted: emptySoon,
    get pages() {
      return pages
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

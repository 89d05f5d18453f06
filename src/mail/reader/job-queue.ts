import { type FairKeys, FairQueue } from './fair-queue.ts'
import type { Job } from './jobs.ts'

/**
 * The cost of parsing grows at most with the size. Small messages do not wait for large ones, which may be made to be
 * slow.
 */
const SMALL_BYTES = 128 * 1024
/** Every so many jobs, a large message goes first, so that large ones do not wait forever. */
const LARGE_INTERVAL = 8
/**
 * The same for a job that no user waits for. The intervals have no common divisor, so that each kind of job is the first
 * one at some time.
 */
const OTHER_INTERVAL = 7

/** The round robin keys of a job, and whether a user waits for it. */
export interface JobPriority extends FairKeys {
  waited: boolean
}

/**
 * The queue of waiting jobs. Jobs for which a user waits usually come first, and within both groups small messages come before
 * large ones. Jobs of the same rank are taken by round robin (`FairQueue`), so that no one waits for all messages of
 * another. A first look counts as small, because it costs the same for every size.
 */
export class JobQueue<Item extends { job: Job; priority: JobPriority }> {
  readonly #interrupted: Item[] = []
  readonly #small = { waited: new FairQueue<Item>(), other: new FairQueue<Item>() }
  readonly #large = { waited: new FairQueue<Item>(), other: new FairQueue<Item>() }
  #taken = 0

  get length(): number {
    return this.#queues().reduce((sum, { length }) => sum + length, this.#interrupted.length)
  }

  /** Whether a user waits for the job that `take` returns next. */
  get isWaitedFor(): boolean {
    if (this.#interrupted[0]) return this.#interrupted[0].priority.waited
    const next = this.#nextQueue()
    return next !== undefined && (next === this.#small.waited || next === this.#large.waited)
  }

  push(item: Item): void {
    const { kind, raw } = item.job
    const size = kind !== 'look' && raw.length > SMALL_BYTES ? this.#large : this.#small
    size[item.priority.waited ? 'waited' : 'other'].push(item, item.priority)
  }

  /** Adds interrupted jobs. They come first. */
  putBack(items: readonly Item[]): void {
    this.#interrupted.push(...items)
  }

  take(): Item | undefined {
    if (this.#interrupted.length > 0) return this.#interrupted.shift()
    const next = this.#nextQueue()
    if (next) this.#taken++
    return next?.take()
  }

  takeAll(): Item[] {
    return [...this.#interrupted.splice(0), ...this.#queues().flatMap((queue) => queue.takeAll())]
  }

  #nextQueue(): FairQueue<Item> | undefined {
    const turn = this.#taken + 1
    return this.#queues(turn % LARGE_INTERVAL === 0, turn % OTHER_INTERVAL === 0).find(({ length }) => length > 0)
  }

  #queues(largeFirst = false, otherFirst = false): FairQueue<Item>[] {
    const sizes = largeFirst ? [this.#large, this.#small] : [this.#small, this.#large]
    const waited = sizes.map((size) => size.waited)
    const other = sizes.map((size) => size.other)
    return otherFirst ? [...other, ...waited] : [...waited, ...other]
  }
}

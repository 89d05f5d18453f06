import { FairQueue, type Turn } from './fair-queue.ts'
import type { Job } from './jobs.ts'

/** What reading a mail costs grows with its size at most; a small one is not kept waiting by large ones that are made to be slow. */
const SMALL_BYTES = 128 * 1024
/** Each so many jobs a large one has its turn, so that they do not wait for ever. */
const LARGE_TURN = 8

/** Whose turn a job takes, and whether somebody waits for it. */
export interface JobTurn extends Turn {
  waited: boolean
}

/**
 * Jobs that wait: what somebody waits for before the rest, and in each small mails before large ones. Among equals turns go round
 * (`FairQueue`), so that nobody waits behind the mail of others. A first look costs the same for every size.
 */
export class JobQueue<Item extends { job: Job; turn: JobTurn }> {
  readonly #again: Item[] = []
  readonly #small = { waited: new FairQueue<Item>(), other: new FairQueue<Item>() }
  readonly #large = { waited: new FairQueue<Item>(), other: new FairQueue<Item>() }
  #taken = 0

  get length(): number {
    return this.#queues().reduce((sum, { length }) => sum + length, this.#again.length)
  }

  push(item: Item): void {
    const { kind, raw } = item.job
    const size = kind !== 'look' && raw.length > SMALL_BYTES ? this.#large : this.#small
    size[item.turn.waited ? 'waited' : 'other'].push(item, item.turn)
  }

  /** For jobs that were begun and interrupted: they come first. */
  putBack(items: readonly Item[]): void {
    this.#again.push(...items)
  }

  take(): Item | undefined {
    if (this.#again.length > 0) return this.#again.shift()
    const largeFirst = ++this.#taken % LARGE_TURN === 0
    return this.#queues(largeFirst)
      .find(({ length }) => length > 0)
      ?.take()
  }

  takeAll(): Item[] {
    return [...this.#again.splice(0), ...this.#queues().flatMap((queue) => queue.takeAll())]
  }

  #queues(largeFirst = false): FairQueue<Item>[] {
    const sizes = largeFirst ? [this.#large, this.#small] : [this.#small, this.#large]
    return [...sizes.map(({ waited }) => waited), ...sizes.map(({ other }) => other)]
  }
}

import type { Job } from './jobs.ts'

/** What a mail costs grows with its size at most; a small one is never kept waiting by large ones that are made to be slow. */
const SMALL_BYTES = 128 * 1024
/** Each so many jobs a large one has its turn, so that they do not wait for ever. */
const LARGE_TURN = 8

/** Jobs that wait: small mails before large ones, and in each what somebody waits for in front of a screen before the rest. */
export class JobQueue<Item extends { job: Job }> {
  readonly #again: Item[] = []
  readonly #small: [urgent: Item[], other: Item[]] = [[], []]
  readonly #large: [urgent: Item[], other: Item[]] = [[], []]
  #taken = 0

  get length(): number {
    return this.#lists().reduce((sum, list) => sum + list.length, 0)
  }

  push(item: Item): void {
    const { kind, raw } = item.job
    const urgent = kind === 'content' || kind === 'attachment'
    const lists = raw.length > SMALL_BYTES ? this.#large : this.#small
    lists[urgent ? 0 : 1].push(item)
  }

  /** For jobs that were begun and interrupted: they come first. */
  putBack(items: readonly Item[]): void {
    this.#again.push(...items)
  }

  take(): Item | undefined {
    const largeFirst = ++this.#taken % LARGE_TURN === 0
    return (largeFirst ? this.#lists(this.#large, this.#small) : this.#lists())
      .find(({ length }) => length > 0)
      ?.shift()
  }

  takeAll(): Item[] {
    return this.#lists().flatMap((list) => list.splice(0))
  }

  #lists(first = this.#small, second = this.#large): Item[][] {
    return [this.#again, ...first, ...second]
  }
}

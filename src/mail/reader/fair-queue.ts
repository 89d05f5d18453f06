/** The keys of an item for round robin: first among outer keys, then among the inner keys of an outer key. */
export interface FairKeys {
  outer: string
  inner: string
}

/**
 * A queue with two levels of round robin: between two items of one key, at most one item of each other key is taken.
 */
export class FairQueue<Item> {
  readonly #outer = new Map<string, Map<string, Item[]>>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(item: Item, { outer, inner }: FairKeys): void {
    const group = this.#outer.get(outer) ?? new Map<string, Item[]>()
    const items = group.get(inner) ?? []
    items.push(item)
    group.set(inner, items)
    this.#outer.set(outer, group)
    this.#length++
  }

  take(): Item | undefined {
    const [next] = this.#outer
    if (!next) return undefined
    const [outer, group] = next
    const [[inner, items]] = group as unknown as [[string, Item[]]]
    const item = items.shift()
    this.#length--
    // A Map keeps insertion order, so deleting and inserting a key moves it to the end of its round.
    group.delete(inner)
    if (items.length > 0) group.set(inner, items)
    this.#outer.delete(outer)
    if (group.size > 0) this.#outer.set(outer, group)
    return item
  }

  takeAll(): Item[] {
    const all: Item[] = []
    for (let item = this.take(); item !== undefined; item = this.take()) all.push(item)
    return all
  }
}

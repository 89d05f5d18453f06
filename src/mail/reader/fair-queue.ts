/** Whose turn an item takes: turns go round by the outer key, and within it by the inner one. */
export interface Turn {
  outer: string
  inner: string
}

/** A queue in which nobody waits for more than one item of each other key (two levels of round robin). */
export class FairQueue<Item> {
  readonly #outer = new Map<string, Map<string, Item[]>>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(item: Item, { outer, inner }: Turn): void {
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
    // To the end of its round, which is the end of a Map.
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

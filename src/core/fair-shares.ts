/** Networks that hold about the same. */
interface Rank {
  /** The amount that each of these networks holds, in units. */
  units: number
  networks: number
  /** The exact amount that these networks hold together. */
  held: number
}

/**
 * Shares something limited, such as connections or memory, between the networks of its clients. The rule: for each n,
 * the n largest networks together hold at most n/(n+1) of everything, rounded up. So while half is free, every network
 * may take more, the largest one leaves half, and n greedy ones leave 1/(n+1) to others.
 */
export class FairShares {
  /** Amounts are rounded to units, so that many networks have the same rank and the number of ranks stays small. */
  readonly #unit: number
  readonly #held = new Map<string, number>()
  #sum = 0
  /** Ranks by `units`. */
  readonly #ranks = new Map<number, Rank>()
  /** The ranks, largest first. Undefined after a rank was added or removed, until they are sorted again. */
  #sorted: Rank[] | undefined

  constructor(unit = 1) {
    this.#unit = unit
  }

  /** What a network holds. 0 for undefined, which stands for clients without limits. */
  heldBy(network: string | undefined): number {
    return network === undefined ? 0 : (this.#held.get(network) ?? 0)
  }

  /**
   * Whether a network may take `amount` of the `free` rest. What is free and what networks hold is everything; what
   * clients without limits hold does not count. All numbers are integers.
   */
  allows(network: string, amount: number, free: number): boolean {
    const total = this.#sum + free
    const left = free - amount
    if (left < 0) return false
    // Then the rule holds, whoever has the rest.
    if (2 * left >= total) return true
    const before = this.heldBy(network)
    const [old, grown] = [this.#unitsOf(before), this.#unitsOf(before + amount)]
    let networks = 1
    let held = before + amount
    const isFair = (): boolean => (networks + 1) * (held - 1) < networks * total
    // Only the sums with this network grow. Between the first and the last network of a rank, the rule holds if it holds
    // at both: what they hold grows evenly, and what they may hold grows more slowly with each.
    for (const rank of this.#largestFirst()) {
      if (rank.units < grown && !isFair()) return false
      networks += rank.networks
      held += rank.held
      if (rank.units !== old) continue
      networks--
      held -= before
    }
    return isFair()
  }

  /** Adds what a network has taken, or subtracts what it has given back. */
  add(network: string | undefined, amount: number): void {
    if (network === undefined || amount === 0) return
    const before = this.heldBy(network)
    const held = before + amount
    this.#sum += amount
    if (before > 0) this.#move(before, -1)
    if (held > 0) this.#move(held, 1)
    if (held > 0) this.#held.set(network, held)
    else this.#held.delete(network)
  }

  /** Adds a network that holds so much to its rank, or removes it. */
  #move(held: number, by: 1 | -1): void {
    const units = this.#unitsOf(held)
    let rank = this.#ranks.get(units)
    if (!rank) {
      this.#ranks.set(units, (rank = { units, networks: 0, held: 0 }))
      this.#sorted = undefined
    }
    rank.networks += by
    rank.held += by * held
    if (rank.networks > 0) return
    this.#ranks.delete(units)
    this.#sorted = undefined
  }

  #unitsOf(held: number): number {
    return Math.ceil(held / this.#unit)
  }

  #largestFirst(): readonly Rank[] {
    return (this.#sorted ??= [...this.#ranks.values()].toSorted((a, b) => b.units - a.units))
  }
}

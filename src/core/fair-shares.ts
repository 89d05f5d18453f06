/**
 * Shares something limited, such as connections or memory, between the networks of its clients, so that a few networks
 * cannot take all of it: n of them leave at least 1/(n+1). A network that would then be the r-th largest may take more
 * as long as it leaves 1/(r+1). The largest must leave half, and small ones get in when large ones get nothing more.
 */
export class FairShares {
  readonly #held = new Map<string, number>()
  #sum = 0

  /** What a network holds. 0 for undefined, which stands for clients without a network. */
  heldBy(network: string | undefined): number {
    return network === undefined ? 0 : (this.#held.get(network) ?? 0)
  }

  /** Whether a network may take `amount` of the `free` rest. All numbers are integers. */
  allows(network: string, amount: number, free: number): boolean {
    const left = free - amount
    const isEnoughFor = (rank: number): boolean => (rank + 1) * (left + 1) > this.#sum + free
    if (left < 0 || !isEnoughFor(this.#held.size + 1)) return false
    const wanted = this.heldBy(network) + amount
    let rank = 1
    for (const [other, held] of this.#held) {
      if (isEnoughFor(rank)) break
      if (other !== network && held >= wanted) rank++
    }
    return isEnoughFor(rank)
  }

  /** Adds what a network has taken, or subtracts what it has given back. */
  add(network: string | undefined, amount: number): void {
    if (network === undefined) return
    this.#sum += amount
    const held = this.heldBy(network) + amount
    if (held === 0) this.#held.delete(network)
    else this.#held.set(network, held)
  }
}

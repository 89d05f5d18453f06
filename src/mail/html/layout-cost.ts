import { GONE, isBlock, shownDeep } from './allowed.ts'

/** Elements that a browser repeats in what follows, if something ends what they are in (HTML, 13.2.4.3). */
const FORMATTING = new Set('a b big code em font i s small strike strong tt u'.split(' '))
/** Elements that blocks end, or in which only some elements may be. */
const ENDED_EARLY = new Set('dd dt li p table'.split(' '))
/** What is open outside of these is not repeated inside. */
const CELLS = new Set('caption td th'.split(' '))
/** Equal elements that are repeated. */
const EQUAL = 3
/** Far more than reports whose elements are never closed have. */
const MAX_REPEATED = 50_000
/**
 * Elements in one line of a block. A browser takes a time that grows with the square of those that are empty: 25 s for 32,000.
 * Preformatted text, which may be highlighted, is not concerned.
 */
const MAX_IN_LINE = 3000
const KEPT_IN_LINE = new Set(['br', 'img'])

interface Cell {
  /** How many elements that end early are open. */
  early: number
  /** The formatting inside of these, and how many a browser would repeat. */
  formatting: Map<string, number>
  repeated: number
}

interface Open {
  tag: string
  /** The formatting that it is. */
  key: string | undefined
}

/** Counts what costs a browser much more than the length of a message. Call it for all elements in their order. */
export class LayoutCost {
  readonly #open: Open[] = []
  readonly #cells: Cell[] = [newCell()]
  #repeated = 0
  #inLine = 0
  #preformatted = 0

  /** `tag`: that of `shownTag`, or an empty text. */
  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const cell = this.#cells.at(-1) as Cell
    let key: string | undefined
    if (isBlock(tag)) {
      this.#repeated += cell.repeated
      this.#inLine = 0
    } else if (tag !== '' && this.#preformatted === 0) this.#inLine++
    if (tag === 'pre') this.#preformatted++
    if (CELLS.has(tag)) this.#cells.push(newCell())
    else if (ENDED_EARLY.has(tag)) cell.early++
    else if (FORMATTING.has(tag) && cell.early > 0) {
      key = `${tag} ${JSON.stringify(attributes)}`
      const count = (cell.formatting.get(key) ?? 0) + 1
      cell.formatting.set(key, count)
      if (count <= EQUAL) cell.repeated++
    }
    this.#open.push({ tag, key })
  }

  close(): void {
    const { tag = '', key } = this.#open.pop() ?? {}
    if (isBlock(tag) || tag === 'br') this.#inLine = 0
    if (tag === 'pre') this.#preformatted--
    if (CELLS.has(tag)) this.#cells.pop()
    const cell = this.#cells.at(-1) as Cell
    if (ENDED_EARLY.has(tag)) cell.early--
    if (key === undefined) return
    const count = cell.formatting.get(key) ?? 0
    cell.formatting.set(key, count - 1)
    if (count <= EQUAL) cell.repeated--
  }

  /** Returns what replaces the element that was opened last, as `shownDeep` does. */
  shown(tag: string): string {
    if (this.#repeated > MAX_REPEATED) return shownDeep(tag)
    return this.#inLine > MAX_IN_LINE && !KEPT_IN_LINE.has(tag) ? GONE : tag
  }
}

const newCell = (): Cell => ({ early: 0, formatting: new Map(), repeated: 0 })

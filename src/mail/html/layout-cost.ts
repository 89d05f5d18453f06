import { CELLS, GONE, isBlock, shownDeep } from './allowed.ts'
import { isVisible, needlessElements } from './empty-elements.ts'

/** Elements that a browser repeats in what follows, if something ends what they are in (HTML, 13.2.4.3). */
const FORMATTING = new Set('a b big code em font i s small strike strong tt u'.split(' '))
/** Elements that blocks end, or in which only some elements may be. */
const ENDED_EARLY = new Set('dd dt li p table'.split(' '))
/** Elements in which white space is not shown. */
const TABLES = new Set('colgroup table tbody tfoot thead tr'.split(' '))
/** Equal elements that are repeated. */
const EQUAL = 3
/** Far more than in real reports whose elements are never closed. */
const MAX_REPEATED = 50_000

interface Cell {
  /** How many elements that end early are open, and how many of these are tables. */
  early: number
  tables: number
  /** The formatting inside of these, and how many a browser would repeat. */
  formatting: Map<string, number>
  repeated: number
}

interface Open {
  tag: string
  /** The key of its formatting, if it is a formatting element. */
  key: string | undefined
  isCell: boolean
}

/**
 * Counts what costs a browser much more than the length of a message. Call it for all elements in their order, and for the
 * texts that are shown.
 */
export class LayoutCost {
  readonly #open: Open[] = []
  readonly #cells: Cell[] = [newCell()]
  readonly #html: string
  #needless: ReadonlySet<number> | undefined
  #elements = 0
  #repeated = 0
  /** Whether a browser repeats the formatting before what comes next in a line. */
  #isEnded = false

  constructor(html: string) {
    this.#html = html
  }

  /** `tag`: that of `shownTag`, or an empty text. */
  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.#elements++
    if (isBlock(tag)) this.#isEnded = true
    else this.#line()
    const cell = this.#cells.at(-1) as Cell
    const isCell = CELLS.has(tag) && cell.tables > 0
    let key: string | undefined
    if (isCell) this.#cells.push(newCell())
    else if (ENDED_EARLY.has(tag)) cell.early++
    else if (FORMATTING.has(tag) && cell.early > 0) {
      key = `${tag} ${JSON.stringify(attributes)}`
      const count = (cell.formatting.get(key) ?? 0) + 1
      cell.formatting.set(key, count)
      if (count <= EQUAL) cell.repeated++
    }
    if (tag === 'table') cell.tables++
    this.#open.push({ tag, key, isCell })
  }

  text(text: string): void {
    if (!TABLES.has(this.#open.at(-1)?.tag ?? '') || isVisible(text)) this.#line()
  }

  close(): void {
    const { tag = '', key, isCell } = this.#open.pop() ?? {}
    if (isBlock(tag)) this.#isEnded = true
    if (isCell) this.#cells.pop()
    const cell = this.#cells.at(-1) as Cell
    if (ENDED_EARLY.has(tag)) cell.early--
    if (tag === 'table') cell.tables--
    if (key === undefined) return
    const count = cell.formatting.get(key) ?? 0
    cell.formatting.set(key, count - 1)
    if (count <= EQUAL) cell.repeated--
  }

  /** Returns what replaces the element that was opened last, as `shownDeep` does. Throws beyond `MAX_HTML_DEPTH`. */
  shown(tag: string): string {
    if (this.#repeated > MAX_REPEATED) return shownDeep(tag)
    this.#needless ??= needlessElements(this.#html)
    return this.#needless.has(this.#elements - 1) ? GONE : tag
  }

  #line(): void {
    if (this.#isEnded) this.#repeated += this.#cells.at(-1)?.repeated ?? 0
    this.#isEnded = false
  }
}

const newCell = (): Cell => ({ early: 0, tables: 0, formatting: new Map(), repeated: 0 })

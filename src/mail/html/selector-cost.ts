/**
 * Steps in which a browser may match the selectors of a message, each some 50 ns. Those of a newsletter need a hundredth. A
 * selector such as `a ~ b` searches all earlier siblings of every element, so a short message could stop a page for minutes.
 */
const MAX_STEPS = 20_000_000
/** Steps to count the siblings before an element. */
const COUNTING = 8

/** Keeps a rule if there are steps left for its selectors. `outer` is what the rule around it returned. */
export type Fits = (selectors: string, outer?: number) => number | undefined

interface Shape {
  elements: number
  /** The most elements that are open at the same time, and that are in another one. */
  depth: number
  siblings: number
  /** The elements of each tag, `.class` and `#id`. */
  named: Map<string, number>
}

const TAG = /<(\/?)([a-z][a-z\d]*)([^>]*)>/g
const CLASS = /\sclass="([^"]*)"/
const ID = /\sid="([^"]*)"/
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'wbr'])

/** Counts the elements of sanitized HTML. */
function shapeOf(html: string): Shape {
  const named = new Map<string, number>()
  const count = (name: string): void => void named.set(name, (named.get(name) ?? 0) + 1)
  const shape = { elements: 0, depth: 1, siblings: 1, named }
  const children = [0]
  for (const [, end, tag = '', attributes = ''] of html.matchAll(TAG)) {
    if (end) {
      if (children.length > 1) children.pop()
      continue
    }
    shape.elements++
    const before = children.pop() ?? 0
    children.push(before + 1)
    shape.siblings = Math.max(shape.siblings, before + 1)
    count(tag)
    for (const name of CLASS.exec(attributes)?.[1]?.split(/\s+/) ?? []) count(`.${name}`)
    const id = ID.exec(attributes)?.[1]
    if (id) count(`#${id}`)
    if (!VOID.has(tag)) shape.depth = Math.max(shape.depth, children.push(0))
  }
  return shape
}

const TOKEN = /"[^"]*"|'[^']*'|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|::?[\w-]*\(?|[(),~>+ ]|[^"'[(),~>+ :]+|[^]/g
const NAME = /[.#][\w\u0080-\uffff-]+|(?<![:.#\w\u0080-\uffff-])[\w\u0080-\uffff-]+/g

/** A list of selectors that is read: at the top, or the argument of a function. */
class List {
  readonly #shape: Shape
  readonly #isNth: boolean
  /** Steps for the function itself. */
  readonly #own: number
  /** Steps of the selectors before the current one. */
  steps = 0
  /** The same, times the elements for which they are needed. */
  total = 0
  #tests: number
  #ancestors = false
  #siblings = false
  #compound = ''

  constructor(shape: Shape, name: string) {
    this.#shape = shape
    this.#isNth = name.startsWith(':nth-')
    // `:has(a)` searches what is inside of an element, or after it.
    this.#own = name === ':has(' ? shape.elements : this.#isNth ? COUNTING : 1
    this.#tests = this.#own
  }

  add(token: string): void {
    if (/^[ >~+]$/.test(token)) {
      this.#compound = ''
      this.#ancestors ||= token === ' ' || token === '>'
      this.#siblings ||= token === '~'
      // `:nth-child(2 of a)` counts only the siblings that match.
    } else if (this.#isNth && token === 'of') this.#siblings = true
    else if (!/^["'[]/.test(token)) this.#compound += token
  }

  addArgument(steps: number): void {
    this.#tests += steps
  }

  endSelector(): void {
    const { depth, siblings, named, elements } = this.#shape
    const steps = this.#tests * (this.#ancestors ? depth : 1) * (this.#siblings ? siblings : 1)
    let matching = elements
    for (const name of this.#compound.match(NAME) ?? [])
      matching = Math.min(matching, named.get(/^[.#]/.test(name) ? name : name.toLowerCase()) ?? 0)
    this.steps += steps
    this.total += steps * matching
    this.#tests = this.#own
    this.#ancestors = false
    this.#siblings = false
    this.#compound = ''
  }
}

/** Returns the steps for one element at most, and those for all elements. */
function stepsOf(selectors: string, shape: Shape): { steps: number; total: number } {
  const text = selectors
    .replace(/\s+/g, ' ')
    .replace(/ ?([,+~>]) ?/g, '$1')
    .replace(/\( | (?=\))/g, (match) => match.trim())
  const lists = [new List(shape, '')]
  for (const [token] of text.matchAll(TOKEN)) {
    const list = lists.at(-1) as List
    if (/^:?:?[\w-]*\($/.test(token)) lists.push(new List(shape, token.toLowerCase()))
    else if (token === ',') list.endSelector()
    else if (token === ')' && lists.length > 1) {
      list.endSelector()
      lists.pop()
      lists.at(-1)?.addArgument(list.steps)
    } else list.add(token)
  }
  const [all] = lists as [List]
  all.endSelector()
  return all
}

const countOf = (text: string, character: string): number => {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++
  return count
}

/**
 * Returns what decides which rules are kept in the style sheets of sanitized HTML. The first ones have precedence.
 * `elements` and `depth` are at least those of `html`: most sheets are so cheap that it need not be read.
 */
export function limitSteps(html: string, { elements, depth }: { elements: number; depth: number }): Fits {
  let shape: Shape | undefined
  let left = MAX_STEPS
  let leftUnread = MAX_STEPS / 4
  return (selectors, outer = 1) => {
    if (outer === 1 && !selectors.includes('~') && !selectors.includes('(')) {
      const most = (countOf(selectors, ',') + 1) * depth
      if ((leftUnread -= most * elements) >= 0) return most
    }
    const { steps, total } = stepsOf(selectors, (shape ??= shapeOf(html)))
    if (!(total * outer <= left)) return undefined
    left -= total * outer
    return steps * outer
  }
}

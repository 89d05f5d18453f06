/**
 * Steps in which a browser may match the selectors of a message, each some 50 ns. A selector such as `a ~ b` searches all
 * earlier siblings of every element, so a short message could stop a page for minutes.
 */
const MAX_STEPS = 40_000_000
/** Steps to one sibling. */
const TO_SIBLING = 1 / 4
/** Steps to count the siblings before an element. */
const COUNTING = 8

/** Keeps a rule if there are steps left for its selectors. `outer` is what the rule around it returned. */
export type Fits = (selectors: string, outer?: number) => number | undefined

/** Elements, and the sums of the steps from each of them. */
interface Group {
  count: number
  toAncestors: number
  toSiblings: number
  /** To its siblings, its ancestors and theirs. */
  toAll: number
}

const newGroup = (): Group => ({ count: 0, toAncestors: 0, toSiblings: 0, toAll: 0 })

function addTo(group: Group, { count, toAncestors, toSiblings, toAll }: Group): void {
  group.count += count
  group.toAncestors += toAncestors
  group.toSiblings += toSiblings
  group.toAll += toAll
}

interface Shape {
  all: Group
  /** The most elements that are open at the same time, and that are in another one. */
  depth: number
  siblings: number
  /** The elements of each tag, `.class` and `#id`. */
  named: Map<string, Group>
}

const TAG = /<(\/?)([a-z][a-z\d]*)([^>]*)>/g
const CLASS = /\sclass="([^"]*)"/
const ID = /\sid="([^"]*)"/
/** White space in HTML and CSS. Other spaces may be part of a name. */
const SPACES = /[ \t\n\f\r]+/g
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'wbr'])
/** Elements that a browser adds to tables. */
const IMPLIED = new Set(['colgroup', 'tbody', 'tr'])

/** Counts the elements of sanitized HTML. */
function shapeOf(html: string): Shape {
  const named = new Map<string, Group>()
  const shape = { all: newGroup(), depth: 1, siblings: 1, named }
  /** For each open element: the number of elements in it so far, and its `toAll`. */
  const open = [{ children: 0, toAll: 0 }]
  for (const [, end, tag = '', attributes = ''] of html.matchAll(TAG)) {
    const parent = open.at(-1)
    if (end || !parent) {
      if (open.length > 1) open.pop()
      continue
    }
    const toSiblings = parent.children++ * TO_SIBLING
    const toAll = parent.toAll + 1 + toSiblings
    const element = { count: 1, toAncestors: open.length, toSiblings, toAll }
    shape.siblings = Math.max(shape.siblings, parent.children)
    addTo(shape.all, element)
    const names = [tag]
    for (const name of CLASS.exec(attributes)?.[1]?.split(SPACES) ?? []) names.push(`.${name}`)
    const id = ID.exec(attributes)?.[1]
    if (id) names.push(`#${id}`)
    for (const name of names) {
      const group = named.get(name) ?? newGroup()
      addTo(group, element)
      named.set(name, group)
    }
    if (!VOID.has(tag)) shape.depth = Math.max(shape.depth, open.push({ children: 0, toAll }))
  }
  return shape
}

const TOKEN = /"[^"]*"|'[^']*'|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|::?[\w-]*\(?|[(),~>+ ]|[^"'[(),~>+ :]+|[^]/g
/** Names in a compound selector, not those of pseudo-classes. */
const NAME = /[.#][\w\u0080-\uffff-]+|(?<![:.#\w\u0080-\uffff-])[\w\u0080-\uffff-]+/g

/** A list of selectors that is read: at the top, or the argument of a function. */
class List {
  readonly #shape: Shape
  readonly #name: string
  /** Steps for the function itself, with each of its selectors. */
  readonly #own: number
  /** The most steps that all selectors so far need for one element. */
  steps = 0
  /** The steps that they need for all elements that may match. */
  total = 0
  /** The elements that may match. */
  readonly matching = newGroup()
  /** Steps for the last compound of the current selector, and for those before it. */
  #last: number
  #before = 0
  #ancestors = false
  #siblings = false
  #compound = ''
  /** The elements of `:is()` and `:where()` in the last compound. */
  #among: Group | undefined

  constructor(shape: Shape, name: string) {
    this.#shape = shape
    this.#name = name
    // `:has(a)` searches what is inside of an element, or after it.
    this.#own = name === ':has(' ? 4 * shape.all.count : name.startsWith(':nth-') ? COUNTING : 1
    this.#last = this.#own
  }

  add(token: string): void {
    if (/^[ >~+]$/.test(token)) {
      this.#before += this.#last
      this.#last = 1
      this.#compound = ''
      this.#among = undefined
      this.#ancestors ||= token === ' '
      this.#siblings ||= token === '~'
      // `:nth-child(2 of a)` counts only the siblings that match.
    } else if (token === 'of' && this.#name.startsWith(':nth-')) this.#siblings = true
    else if (!/^["'[]/.test(token)) this.#compound += token
  }

  addArgument(list: List): void {
    this.#last += list.steps
    if (/^:(?:is|where)\($/.test(list.#name) && list.matching.count < (this.#among?.count ?? Infinity))
      this.#among = list.matching
  }

  endSelector(): void {
    const { depth, siblings, named, all } = this.#shape
    let group = this.#among ?? all
    for (const name of this.#compound.match(NAME) ?? []) {
      const tag = name.toLowerCase()
      const found = /^[.#]/.test(name) ? named.get(name) : IMPLIED.has(tag) ? all : named.get(tag)
      if ((found?.count ?? 0) < group.count) group = found ?? newGroup()
    }
    const { count, toAncestors, toSiblings, toAll } = group
    const [walk, longest] = this.#ancestors
      ? this.#siblings
        ? [toAll, depth * siblings * TO_SIBLING]
        : [toAncestors, depth]
      : this.#siblings
        ? [toSiblings, siblings * TO_SIBLING]
        : [count, 1]
    this.steps += this.#last + this.#before * Math.max(longest, 1)
    this.total += this.#last * count + this.#before * walk
    addTo(this.matching, group)
    this.#last = this.#own
    this.#before = 0
    this.#ancestors = false
    this.#siblings = false
    this.#compound = ''
    this.#among = undefined
  }
}

/** Returns the steps for one element at most, and those for all elements. */
function stepsOf(selectors: string, shape: Shape): { steps: number; total: number } {
  const text = selectors
    .replace(SPACES, ' ')
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
      lists.at(-1)?.addArgument(list)
    } else list.add(token)
  }
  const [all] = lists as [List]
  all.endSelector()
  return all
}

/**
 * Returns what decides which rules are kept in the style sheets of sanitized HTML. The first ones have precedence.
 * `elements` and `depth` are at least those of `html`: most sheets are so cheap that it need not be read.
 */
export function limitSteps(html: string, { elements, depth }: { elements: number; depth: number }): Fits {
  let shape: Shape | undefined
  let left = MAX_STEPS
  let leftUnread = MAX_STEPS / 8
  return (selectors, outer = 1) => {
    if (outer === 1 && !selectors.includes('~') && !selectors.includes('(')) {
      const most = selectors.split(',').length * depth
      if ((leftUnread -= most * elements) >= 0) return most
    }
    const { steps, total } = stepsOf(selectors, (shape ??= shapeOf(html)))
    if (!(total * outer <= left)) return undefined
    left -= total * outer
    return steps * outer
  }
}

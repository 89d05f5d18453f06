type Root = 'html' | 'body'
/** Whether an element of a message stands for its `<html>`, and for its `<body>`. */
export type Roots = Record<Root, boolean>

/** The attribute of the element that stands for a root. Its value is the name of the root. */
export const ROOT_ATTRIBUTE = 'data-tag'

/** Whether `forRoots` may change a selector of these style sheets. */
export const mayNameRoots = (html: string): boolean => /(?<!<\/?)(?:html|body)\s*[>.#[:]/i.test(html)

const TOKEN = /"[^"]*"|'[^']*'|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|\s+|[(),>+~]|[^"'[(),>+~\s]+|[^]/g
const ROOT = /^(html|body)(?![\w\u0080-\uffff|-])/i

/** The compound selector that is read, and what is before it: in a list of selectors, or in the argument of a function. */
class Compound {
  readonly #tokens: string[]
  readonly #roots: Roots
  /** The root that it names, and the index of the token. */
  #root: Root | undefined
  #at = 0
  /** Whether it says more of the root than its name. */
  #isSpecific = false
  #isBegun = false
  #isEnded = false
  /** The combinator before it, the index of that, and what is before that: an `html`, replaced or not. */
  #combinator = ''
  #combinatorAt = 0
  #html: 'replaced' | 'kept' | undefined

  constructor(tokens: string[], roots: Roots) {
    this.#tokens = tokens
    this.#roots = roots
  }

  add(token: string, at: number): void {
    if (/^\s/.test(token)) {
      this.#isEnded = this.#isBegun
      return
    }
    if (this.#isEnded) this.end(' ', at)
    const root = this.#isBegun ? undefined : token.toLowerCase() === ':root' ? 'html' : ROOT.exec(token)?.[1]
    if (root) {
      this.#root = root.toLowerCase() as Root
      this.#at = at
    }
    this.#isBegun = true
    this.#isSpecific ||= /^\[|[.#(]/.test(token)
  }

  /** Ends the compound before a combinator; `''` ends the whole selector. */
  end(combinator: string, at: number): void {
    const html = this.#replaceRoot(combinator)
    this.#html = combinator === '' ? undefined : html
    this.#combinator = combinator
    this.#combinatorAt = at
    this.#root = undefined
    this.#isSpecific = false
    this.#isBegun = false
    this.#isEnded = false
  }

  /** Returns what became of `html`. */
  #replaceRoot(next: string): 'replaced' | 'kept' | undefined {
    const root = this.#root
    if (root === undefined) return undefined
    // Without its tag, the body has no attributes, and what is in it is in the element of `html`.
    const shown = root === 'body' && !this.#roots.body && !this.#isSpecific ? 'html' : root
    const isReplaced =
      this.#roots[shown] &&
      !/[+~]/.test(this.#combinator) &&
      (this.#isSpecific || (root === 'body' && (next === '>' || this.#html === 'replaced')))
    if (isReplaced && this.#html === 'replaced' && shown === 'html') {
      // The same element: `html.a > body > p` is `html.a > p`.
      this.#tokens[this.#combinatorAt] = ''
      this.#tokens[this.#at] = ''
    } else if (isReplaced) {
      this.#tokens[this.#at] = (this.#tokens[this.#at] ?? '').replace(ROOT, `div:where([${ROOT_ATTRIBUTE}="${shown}"])`)
      // The element of `html` is left out if it has no attributes.
      if (this.#html && this.#combinator === '>') this.#tokens[this.#combinatorAt] = ' '
    }
    return root === 'html' ? (isReplaced ? 'replaced' : 'kept') : undefined
  }
}

/**
 * Changes selectors such as `body > p` and `body.x p`, so that they match in the frame what they match in the message alone,
 * with the same specificity. Selectors such as `body` and `body p` match the body of the frame. Takes linear time.
 */
export function forRoots(selectors: string, roots: Roots): string {
  if (!roots.html && !roots.body) return selectors
  const tokens: string[] = selectors.match(TOKEN) ?? []
  const open = [new Compound(tokens, roots)]
  for (const [at, token] of tokens.entries()) {
    const compound = open.at(-1) as Compound
    if (/^[>+~]$/.test(token)) compound.end(token, at)
    else if (token === ',') compound.end('', at)
    else if (token === ')' && open.length > 1) {
      compound.end('', at)
      open.pop()
    } else {
      compound.add(token, at)
      if (token === '(') open.push(new Compound(tokens, roots))
    }
  }
  open[0]?.end('', tokens.length)
  return tokens.join('')
}

import { Parser } from 'htmlparser2'
import { type AtRule, type ChildNode, CssSyntaxError, parse, type Rule } from 'postcss'
import type { FeatureIssue, HtmlCheck } from '#core/mailbox/checks.ts'
import { HTML_MAX_CHARACTERS } from '#core/mailbox/message.ts'
import { COMMENT_MARKS, parseCss } from '../html/css-syntax.ts'
import { MAX_HTML_DEPTH, VOID } from '../html/to-text.ts'
import data from './client-support.json' with { type: 'json' }
import { atRuleFeatures, declarationFeatures, selectorFeatures } from './css-features.ts'
import { imageFeature, tagFeatures } from './html-features.ts'

interface Feature {
  title: string
  support: string
}

const FEATURES = data.features as Record<string, Feature>
const isFeature = (slug: string): boolean => Object.hasOwn(FEATURES, slug)

/** Places that are listed for one feature. */
const MAX_PLACES = 3
const MAX_SNIPPET = 100
/** Characters of style sheets that are read. The time of the parser grows with the square of the depth of rules. */
const MAX_CSS = 100_000
/** Declarations whose features are remembered. Messages repeat the same ones. */
const MAX_REMEMBERED = 5000
/** Different declarations that are read. A message has some hundreds. */
const MAX_DECLARATIONS = 20_000

/** Collects where the features are used. */
class Uses {
  readonly found = new Map<string, Pick<FeatureIssue, 'found' | 'places'>>()
  readonly #declarations = new Map<string, Set<string>>()
  #read = 0

  add(slugs: Iterable<string>, line: number, snippet: () => string): void {
    for (const slug of slugs) {
      let use = this.found.get(slug)
      if (!use) this.found.set(slug, (use = { found: 0, places: [] }))
      use.found++
      if (use.places.length < MAX_PLACES) use.places.push({ line, snippet: shortened(snippet()) })
    }
  }

  addDeclaration(property: string, value: string, line: number): void {
    const text = `${property}: ${value.slice(0, MAX_SNIPPET * 4)}`
    let slugs = this.#declarations.get(text)
    if (!slugs) {
      if (this.#read++ === MAX_DECLARATIONS) throw new RangeError('There are too many declarations')
      slugs = declarationFeatures(property, value, isFeature)
      for (const [, url = ''] of text.matchAll(/url\(\s*["']?([^"')]*)/gi)) {
        const format = imageFeature(url)
        if (format !== undefined && isFeature(format)) slugs.add(format)
      }
      if (this.#declarations.size < MAX_REMEMBERED) this.#declarations.set(text, slugs)
    }
    this.add(slugs, line, () => text)
  }

  issues(): FeatureIssue[] {
    return [...this.found].map(([feature, use]) => issueOf(feature, use)).toSorted((a, b) => lossOf(b) - lossOf(a))
  }
}

const shortened = (text: string): string => {
  const line = text
    .slice(0, MAX_SNIPPET * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > MAX_SNIPPET ? `${line.slice(0, MAX_SNIPPET - 1).toWellFormed()}…` : line.toWellFormed()
}

/** A client that supports a feature in part counts half. */
const lossOf = ({ share: { unsupported, partial } }: FeatureIssue): number => unsupported + partial / 2

function issueOf(feature: string, use: Pick<FeatureIssue, 'found' | 'places'>): FeatureIssue {
  const { title, support } = FEATURES[feature] as Feature
  const withLetter = (letter: string): string[] =>
    data.clients.filter((_client, i) => support[i] === letter).map(({ name }) => name)
  const unsupported = withLetter('n')
  const partial = withLetter('a')
  const unknown = withLetter('-')
  const shareOf = ({ length }: string[]): number => Math.round((length / (support.length - unknown.length)) * 100) / 100
  return {
    feature,
    title,
    category: feature.split('-', 1)[0] as FeatureIssue['category'],
    ...use,
    unsupported,
    partial,
    unknown,
    share: { unsupported: shareOf(unsupported), partial: shareOf(partial) },
  }
}

/** Returns the features of a message's HTML and CSS that some mail clients do not support. */
export function htmlSupport(html: string): HtmlCheck {
  const text = html.slice(0, HTML_MAX_CHARACTERS)
  const uses = new Uses()
  let elements = 0
  let depth = 0
  let truncated = html.length > text.length
  let style: { text: string; line: number } | undefined
  let cssLeft = MAX_CSS
  // The parser reports places in order, so the lines before each are counted once.
  let line = 1
  let next = text.indexOf('\n')
  function lineAt(index: number): number {
    for (; next !== -1 && next < index; next = text.indexOf('\n', next + 1)) line++
    return line
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      elements++
      const at = lineAt(parser.startIndex)
      const { startIndex, endIndex } = parser
      uses.add(tagFeatures(name, attributes, isFeature), at, () => text.slice(startIndex, endIndex + 1))
      for (const { property, value } of declarationsIn(attributes['style'] ?? ''))
        uses.addDeclaration(property, value, at)
      if (name === 'style') style = { text: '', line: lineAt(parser.endIndex) }
      if (!VOID.has(name) && ++depth > MAX_HTML_DEPTH) throw new RangeError('The HTML is nested too deep')
    },
    ontext(part) {
      if (!style) return
      if (part.length > cssLeft) truncated = true
      style.text += part.slice(0, cssLeft)
      cssLeft -= Math.min(cssLeft, part.length)
    },
    onclosetag(name) {
      if (!VOID.has(name)) depth--
      if (name !== 'style' || !style) return
      readStyle(style.text, style.line, uses)
      style = undefined
    },
  })
  try {
    parser.end(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    truncated = true
  }
  return { elements, features: Object.keys(FEATURES).length, clients: data.clients, issues: uses.issues(), truncated }
}

/** Yields the declarations of a style attribute. */
function* declarationsIn(style: string): Generator<{ property: string; value: string }> {
  for (const node of parseCss(style)) {
    const found = 'declaration' in node ? /^([-\w]{1,60})\s*:\s*([^]*)$/.exec(node.declaration) : null
    if (found) yield { property: found[1] ?? '', value: found[2] ?? '' }
  }
}

/** Reads a style sheet. One with an error is ignored, as mail clients do. The marks of HTML comments are no error. */
function readStyle(css: string, firstLine: number, uses: Uses): void {
  try {
    const open: ChildNode[] = [...parse(css.replace(COMMENT_MARKS, ' ')).nodes]
    // Not recursive, because rules may be nested deeply.
    for (let node = open.pop(); node; node = open.pop()) {
      readNode(node, firstLine + (node.source?.start?.line ?? 1) - 1, uses)
      if ('nodes' in node && node.nodes) for (const child of node.nodes) open.push(child)
    }
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error
  }
}

const nesting = ({ parent, nodes }: Rule | AtRule): string[] =>
  nodes && parent?.type === 'rule' ? ['css-nesting'].filter(isFeature) : []

function readNode(node: ChildNode, line: number, uses: Uses): void {
  if (node.type === 'comment') uses.add(['css-comments'].filter(isFeature), line, () => `/* ${node.text}`)
  else if (node.type === 'decl')
    uses.addDeclaration(node.prop, node.important ? `${node.value} !important` : node.value, line)
  else if (node.type === 'atrule')
    uses.add(
      [...atRuleFeatures(node.name, node.params, isFeature), ...nesting(node)],
      line,
      () => `@${node.name} ${node.params}`,
    )
  else if (!isKeyframe(node))
    uses.add([...selectorFeatures(node.selector, isFeature), ...nesting(node)], line, () => node.selector)
}

/** `from`, `to` and percentages in @keyframes are no selectors. */
const isKeyframe = ({ parent }: Rule): boolean =>
  parent?.type === 'atrule' && /keyframes$/i.test((parent as AtRule).name)

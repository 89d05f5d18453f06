import { Parser } from 'htmlparser2'
import { CELLS, isBlock, OPAQUE_TAGS, shownTag } from './allowed.ts'
import { limitNesting } from './to-text.ts'

/**
 * Empty elements in the lines of one block. A browser takes a time that grows with the square of their number: 3 s for
 * 16,000.
 */
const MAX_EMPTY = 3000
/** Parts of tables that are around cells and contain no lines themselves. */
const TABLE_PARTS = new Set(['col', 'colgroup', 'tbody', 'tfoot', 'thead', 'tr'])
/** Elements that are seen although they are empty. */
const SEEN = new Set(['area', 'br', 'img'])
const OPAQUE = new Set(OPAQUE_TAGS)

/** Whether a text has more than white space that browsers collapse. */
export const isVisible = (text: string): boolean => /[^ \t\n\f\r]/.test(text)

interface Element {
  tag: string
  at: number
  isOpaque: boolean
  /** Whether it has text or images. */
  isFull: boolean
}

/**
 * Returns which elements of a message are empty and too many, by their numbers in the order of their opening tags, from 0.
 * They may contain line breaks. Throws beyond `MAX_HTML_DEPTH`.
 */
export function needlessElements(html: string): ReadonlySet<number> {
  const needless = new Set<number>()
  if (html.split('<', MAX_EMPTY + 2).length < MAX_EMPTY + 2) return needless
  const open: Element[] = []
  /** The empty elements of the block, for each cell that is open. */
  const counts = [0]
  const nesting = limitNesting()
  let tables = 0
  let elements = 0
  const startLines = (): void => void (counts[counts.length - 1] = 0)
  const isCell = (tag: string): boolean => tables > 0 && CELLS.has(tag)
  const endsLines = (tag: string): boolean => isBlock(tag) && !CELLS.has(tag) && !TABLE_PARTS.has(tag)
  const parser = new Parser({
    onopentag(name, attributes) {
      nesting.open()
      const tag = shownTag(name, attributes) ?? ''
      if (endsLines(tag)) startLines()
      if (isCell(tag)) counts.push(0)
      if (tag === 'table') tables++
      const isOpaque = OPAQUE.has(name) || (open.at(-1)?.isOpaque ?? false)
      open.push({ tag, at: elements++, isOpaque, isFull: (tag === 'img' || name === 'input') && !isOpaque })
    },
    ontext(text) {
      const element = open.at(-1)
      if (element && !element.isOpaque && isVisible(text)) element.isFull = true
    },
    onclosetag() {
      nesting.close()
      const closed = open.pop()
      // The parser closes a tag that is cut off at the end of the message without opening it.
      if (!closed) return
      const { tag, at, isFull } = closed
      if (tag === 'table') tables--
      const parent = open.at(-1)
      if (isFull && parent) parent.isFull = true
      if (isCell(tag)) counts.pop()
      else if (endsLines(tag)) startLines()
      else if (tag !== '' && !isFull && !SEEN.has(tag) && !isBlock(tag)) {
        const count = (counts.pop() ?? 0) + 1
        counts.push(count)
        if (count > MAX_EMPTY) needless.add(at)
      }
    },
  })
  parser.end(html)
  return needless
}

import { Marked, type Token, type Tokens } from 'marked'
import { PLACEHOLDER, proseOf } from './passage.ts'

/** A block of Markdown: a heading, a paragraph, one item of a list, one cell of a table, a fence. */
export interface Block {
  /** `h2`, `p`, `ul 3`, `ol 2`, `item`, `table 2x3`, `th`, `td`, `code js`, … */
  kind: string
  /** The text without markup. Code is replaced with a hole. */
  text: string
  /** Targets of the links. */
  links: string[]
  /** Inline code. */
  codes: string[]
  /** Number of bold passages. */
  bolds: number
  /** The content of a fence, unchanged. */
  fence: string
}

const block = (kind: string, rest: Partial<Block> = {}): Block => ({
  kind,
  text: '',
  links: [],
  codes: [],
  bolds: 0,
  fence: '',
  ...rest,
})

/**
 * Splits Markdown into blocks in reading order. A list is a block with its number of items, followed by a block per
 * item. So is a table with its number of columns and rows, and each cell.
 */
export const blocksOf = (markdown: string): Block[] => new Marked().lexer(markdown).flatMap(blocksOfToken)

function blocksOfToken(token: Token): Block[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return [inline(`h${(token as Tokens.Heading).depth}`, token as Tokens.Heading)]
    case 'paragraph':
      return [inline('p', token as Tokens.Paragraph)]
    case 'text':
      return [inline('item', token as Tokens.Text)]
    case 'code':
      return [block(`code ${(token as Tokens.Code).lang ?? ''}`, { fence: (token as Tokens.Code).text })]
    case 'list': {
      const { ordered, items } = token as Tokens.List
      const parts = items.flatMap((item) => item.tokens.flatMap(blocksOfToken))
      return [block(`${ordered ? 'ol' : 'ul'} ${items.length}`), ...parts]
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table
      const cells = [...header.map((cell) => inline('th', cell)), ...rows.flat().map((cell) => inline('td', cell))]
      return [block(`table ${header.length}x${rows.length}`), ...cells]
    }
    default:
      return [block(token.type, { text: token.raw })]
  }
}

function inline(kind: string, { tokens }: { tokens?: Token[] | undefined }): Block {
  const result = block(kind)
  const walk = (list: Token[]): string =>
    list
      .map((token): string => {
        if (token.type === 'codespan') {
          result.codes.push((token as Tokens.Codespan).text)
          return PLACEHOLDER
        }
        if (token.type === 'link') result.links.push((token as Tokens.Link).href)
        if (token.type === 'strong') result.bolds++
        if ('tokens' in token && token.tokens) return walk(token.tokens)
        return token.type === 'br' ? ' ' : (token as Tokens.Text).text
      })
      .join('')
  result.text = proseOf(walk(tokens ?? []))
  return result
}

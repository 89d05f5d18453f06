import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '#core/text.ts'
import { pathIn } from '#locales/languages.ts'

interface Rendering {
  /** The language of links within the site. */
  lang: string
  /** The ids of the headings in their order. */
  ids?: readonly string[]
}

/**
 * Converts trusted Markdown to HTML. Links within the site get the language prefix. Code is left-to-right. Wide tables
 * scroll, so they can be focused; the heading before them is their name. The first cell of a row is its header. On narrow
 * screens the cells are stacked, so every other cell has the label of its column. Some browsers drop the
 * roles of table elements with `display: block`, so they are written out.
 */
export function toHtml(markdown: string, { lang, ids = [] }: Rendering): string {
  let headings = 0
  let section: string | undefined
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const id = ids[headings++]
        section = id
        return `<h${depth}${id ? ` id="${id}"` : ''}>${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const own = href.startsWith('/') && !href.startsWith('/api/')
        return `<a href="${escapeHtml(own ? pathIn(lang, href) : href)}">${this.parser.parseInline(tokens)}</a>`
      },
      table(token: Tokens.Table) {
        const name = section ? ` role="region" aria-labelledby="${section}"` : ''
        const labels = token.header.map(({ tokens }) => this.parser.parseInline(tokens, this.parser.textRenderer))
        const element = (tag: 'td' | 'th', roles: string, { tokens, align }: Tokens.TableCell, label = ''): string => {
          const aligned = align ? ` align="${align}"` : ''
          const labeled = label ? ` data-label="${escapeHtml(label)}"` : ''
          return `<${tag} ${roles}${aligned}${labeled}>${this.parser.parseInline(tokens)}</${tag}>\n`
        }
        const cell = (of: Tokens.TableCell, column: number): string => {
          // An empty corner is not a header.
          if (of.header && of.text) return element('th', 'role="columnheader" scope="col"', of)
          if (of.header) return element('td', 'role="cell"', of)
          if (column === 0) return element('th', 'role="rowheader" scope="row"', of)
          return element('td', 'role="cell"', of, labels[column])
        }
        const row = (cells: Tokens.TableCell[]): string => `<tr role="row">\n${cells.map(cell).join('')}</tr>\n`
        const head = `<thead role="rowgroup">\n${row(token.header)}</thead>\n`
        const body = `<tbody role="rowgroup">${token.rows.map(row).join('')}</tbody>`
        return `<div data-table tabindex="0"${name}><table role="table">\n${head}${body}</table>\n</div>\n`
      },
      codespan: ({ text }: Tokens.Codespan) => `<code dir="ltr" translate="no">${escapeHtml(text)}</code>`,
      code: ({ text }: Tokens.Code) =>
        `<pre dir="ltr" translate="no" tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    },
  })
  return marked.parse(markdown, { async: false })
}

/** Returns the headings of a text as plain text. */
export function headingsOf(markdown: string): string[] {
  return new Marked()
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ text }) => text)
}

/** Converts a heading to an id: `Can I send or answer mail?` to `can-i-send-or-answer-mail`. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Parses the fields before a Markdown text, one `key: value` per line. A value may be in double quotes. */
export function parseFrontMatter(source: string): { fields: Record<string, string>; body: string } {
  const match = /^---\n(?<head>.*?)\n---\n(?<body>.*)$/s.exec(source)
  if (!match?.groups) throw new Error('A text must begin with front matter between two lines of ---')
  const lines = (match.groups.head ?? '').split('\n').map((line) => /^(?<key>\w+): (?<value>.+)$/.exec(line)?.groups)
  const fields = Object.fromEntries(
    lines.map((line) => [line?.key ?? '', (line?.value ?? '').replace(/^"(.*)"$/, '$1').trim()]),
  )
  return { fields, body: match.groups.body ?? '' }
}

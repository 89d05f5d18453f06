import { Parser } from 'htmlparser2'
import type { Line } from './lines.ts'

export interface Link {
  url: string
  /** What the visitor would click on; empty for a bare URL. */
  label: string
  /** The words before it. */
  before: string
  /** The rest of its sentence. */
  after: string
}

const BLOCK = /^(?:p|div|td|tr|table|li|br|h[1-6]|section)$/
/** In characters. */
const CONTEXT = 160
const MAX_AFTER = 80
const MAX_LABEL = 300
const MAX_URL = 2048

/** The http(s) links of HTML in their order, at most `max`. */
export function linksInHtml(html: string, max: number): Link[] {
  const links: Link[] = []
  let open: Link | undefined
  let before = ''
  const add = (text: string): void => {
    const word = text.replace(/\s+/g, ' ')
    if (open) open.label = (open.label + word).slice(0, MAX_LABEL)
    else {
      before = (before + word).slice(-CONTEXT)
      const last = links.at(-1)
      if (last && last.after.length < MAX_AFTER) last.after += word.slice(0, MAX_AFTER)
    }
  }
  /** The edge of a block: words behind it belong to something else. */
  const edge = (): void => {
    add(' ')
    const last = links.at(-1)
    if (!open && last && last.after.length <= MAX_AFTER) last.after += '\n'
  }
  const parser = new Parser({
    onopentag(name, { href, alt, title }) {
      if (
        name === 'a' &&
        href !== undefined &&
        /^\s*https?:/i.test(href) &&
        href.length <= MAX_URL &&
        links.length < max
      ) {
        open = { url: href.trim(), label: '', before: before.trim(), after: '' }
        links.push(open)
      }
      if (BLOCK.test(name)) edge()
      if (name === 'img' && open) add(` ${alt ?? title ?? ''} `)
    },
    ontext: add,
    onclosetag(name) {
      if (name === 'a' && open) {
        open.label = open.label.trim()
        before = `${before} ${open.label} `.slice(-CONTEXT)
        open = undefined
      }
      if (BLOCK.test(name)) edge()
    },
  })
  parser.end(html)
  return links.map((link) => ({
    ...link,
    label: /^https?:\/\/\S+$/i.test(link.label) ? '' : link.label,
    after: link.after.split(/[.!?。！？।\n]/)[0] ?? '',
  }))
}

const URL_IN_TEXT = /https?:\/\/[^\s<>"']+/gi

/**
 * The http(s) links of lines of text, at most `max`. What stands before one on its line, or above it, is its context.
 */
export function linksInText(lines: readonly Line[], max: number): Link[] {
  const links: Link[] = []
  for (const [i, { text: line }] of lines.entries()) {
    if (links.length >= max) break
    for (const match of line.matchAll(URL_IN_TEXT)) {
      const url = match[0].replace(/[)\]}.,;:!?。，；：！？）】」》»”’।]+$/u, '')
      if (url.length > MAX_URL) continue
      const same = line.slice(Math.max(0, match.index - CONTEXT), match.index)
      const above = lines
        .slice(Math.max(0, i - 2), i)
        .map(({ text }) => text)
        .filter((other) => !/^https?:/i.test(other))
      links.push({ url, label: '', after: '', before: (same.trim() || above.join(' ')).slice(-CONTEXT) })
    }
  }
  return links
}

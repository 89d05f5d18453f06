import { Parser } from 'htmlparser2'
import type { Line } from './lines.ts'

export interface Link {
  url: string
  /** The text to click on. Empty for a bare URL. */
  label: string
  /** The words before the link. */
  before: string
  /** The rest of the sentence after the link. */
  after: string
}

const BLOCK = /^(?:p|div|td|tr|table|li|br|h[1-6]|section)$/
/** Characters before a link that are kept. */
const CONTEXT = 160
const MAX_AFTER = 80
const MAX_LABEL = 300
const MAX_URL = 2048

/** Returns the http(s) links of HTML in their order, at most `max`. */
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
  /** Handles the start or end of a block. Words after it do not belong to the link before it. */
  const blockBoundary = (): void => {
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
      if (BLOCK.test(name)) blockBoundary()
      if (name === 'img' && open) add(` ${alt ?? title ?? ''} `)
    },
    ontext: add,
    onclosetag(name) {
      if (name === 'a' && open) {
        open.label = open.label.trim()
        before = `${before} ${open.label} `.slice(-CONTEXT)
        open = undefined
      }
      if (BLOCK.test(name)) blockBoundary()
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
 * Returns the http(s) links of lines of text, at most `max`. The words before a link on its line, or else above it, are
 * its context.
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

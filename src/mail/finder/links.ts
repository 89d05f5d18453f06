import { type Collector, evenSpaces, readHtml, VOID } from '../html/to-text.ts'
import { urlsInText } from '../url-end.ts'
import type { Line } from './lines.ts'

export interface Link {
  url: string
  /** The text that is clicked. Empty for a bare URL. */
  label: string
  /** The words before it. */
  before: string
  /** The rest of its sentence. */
  after: string
  /** The words before it in its block or line. */
  own: string
  /** Styled as a button. */
  button: boolean
  /** What is clicked is an image, such as a logo, and no text. */
  image: boolean
}

const BUTTON = /background|padding|border-radius|btn|button|cta/i
const BLOCKS = new Set('p div td tr table li br h1 h2 h3 h4 h5 h6 section'.split(' '))
/** In characters. */
const CONTEXT = 160
const MAX_AFTER = 80
const MAX_LABEL = 300
const MAX_URL = 2048
const UNSEEN = new Set(['style', 'script', 'title', 'head', 'template'])

/** Returns at most `max` links of HTML. */
function linksOf(html: string, max: number): Link[] {
  const links = collectLinks(max)
  readHtml(html, [links])
  return links.result()
}

/** Collects at most `max` http(s) links of HTML in order of appearance. */
export function collectLinks(max: number): Collector<Link[]> {
  const links: Link[] = []
  let depth = 0
  /** The element around a link that is styled as a button, or empty. */
  let boxed = ''
  /** Depth of the open element that is not displayed. 0: none. */
  let unseenAt = 0
  let open: Link | undefined
  /** Whether the open link has text. */
  let hasText = false
  let before = ''
  /** The text since the block began. */
  let own = ''
  const add = (word: string): void => {
    if (open) open.label = (open.label + word).slice(0, MAX_LABEL)
    else {
      before += word
      own += word
      if (own.length > 8 * CONTEXT) own = own.slice(-CONTEXT)
      // Not each time, because a message has thousands of short texts.
      if (before.length > 8 * CONTEXT) before = before.slice(-CONTEXT)
      const last = links.at(-1)
      if (last && last.after.length < MAX_AFTER) last.after += word.slice(0, MAX_AFTER)
    }
  }
  /** Ends the text after a link at the edge of a block. */
  const edge = (): void => {
    add(' ')
    own = ''
    const last = links.at(-1)
    if (!open && last && last.after.length <= MAX_AFTER) last.after += '\n'
  }
  /** Ends the open link. */
  const close = (): void => {
    if (!open) return
    open.label = open.label.trim()
    before = `${before.slice(-CONTEXT)} ${open.label} `
    own += ` ${open.label} `
    open = undefined
  }
  const handler: Collector<Link[]>['handler'] = {
    onopentag(name, { href, alt, title, style = '', class: names = '', bgcolor = '' }) {
      if (!VOID.has(name)) depth++
      if (unseenAt === 0 && UNSEEN.has(name)) unseenAt = depth
      if (
        (name === 'a' || name === 'area') &&
        href !== undefined &&
        /^\s*https?:/i.test(href) &&
        href.length <= MAX_URL &&
        links.length < max
      ) {
        const button = BUTTON.test(style) || /btn|button|cta/i.test(names) || boxed !== ''
        open = {
          url: href.trim(),
          label: '',
          before: before.slice(-CONTEXT).trim(),
          after: '',
          own: own.slice(-CONTEXT).trim(),
          button,
          image: false,
        }
        hasText = false
        links.push(open)
        if (name === 'area') {
          open.image = true
          add(evenSpaces(alt ?? title ?? ''))
          close()
        }
      }
      if (name === 'td') boxed = bgcolor !== '' || /background|border-radius/i.test(style) ? 'td' : ''
      if (BLOCKS.has(name)) edge()
      if (name === 'img' && open && unseenAt === 0) {
        open.image = !hasText
        add(evenSpaces(` ${alt ?? title ?? ''} `))
      }
    },
    ontext(text) {
      if (unseenAt !== 0) return
      if (open && /\S/.test(text)) {
        hasText = true
        open.image = false
      }
      add(evenSpaces(text))
    },
    onclosetag(name) {
      if (unseenAt === depth) unseenAt = 0
      if (!VOID.has(name)) depth--
      if (name === 'a') close()
      if (BLOCKS.has(name)) edge()
    },
  }
  const result = (): Link[] =>
    links.map((link) => ({
      ...link,
      label: /^https?:\/\/\S+$/i.test(link.label) ? '' : link.label,
      after: link.after.split(/[.!?。！？।\n]/)[0] ?? '',
    }))
  return { handler, result }
}

/** Returns the URLs in a text. */
export const urlsIn = (text: string): string[] => Array.from(urlsInText(text), ({ url }) => url)
/** `[Confirm](https://…)` */
const MARKDOWN_LABEL = /\[([^\]]{1,80})\]\($/
/** An anchor in a text part, plain or escaped. */
const ANCHOR = /(?:<|&lt;)a\s[^>]{0,500}href/i
/**
 * Returns the http(s) links of lines of text, at most `max`. The words before a link on its line, or else above it, are
 * its context.
 */
export function linksInText(all: readonly Line[], max: number): Link[] {
  const lines = all.map(({ text }) => text)
  const links: Link[] = []
  const anchored = lines.some((line) => (line.includes('<') || line.includes('&')) && ANCHOR.test(line))
  if (anchored)
    links.push(
      ...linksOf(lines.join('\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"'), max),
    )
  for (const [i, line] of lines.entries()) {
    if (links.length >= max || anchored) break
    if (!line.includes('://')) continue
    for (const { url, index } of urlsInText(line)) {
      if (url.length > MAX_URL) continue
      const same = line.slice(Math.max(0, index - CONTEXT), index)
      const label = MARKDOWN_LABEL.exec(same)?.[1] ?? ''
      const above = lines.slice(Math.max(0, i - 2), i).filter((other) => !/^https?:/i.test(other))
      const words = same.replace(MARKDOWN_LABEL, '').trim()
      const before = /[\p{L}\p{N}]/u.test(words) ? words : above.join(' ')
      links.push({ url, label, after: '', own: words, button: false, image: false, before: before.slice(-CONTEXT) })
    }
  }
  return links
}

/**
 * Returns the URL that a browser opens for a link: without the line breaks and tabs of its `href`, and without
 * punctuation outside ASCII at its end, which belongs to the sentence around it. It runs after the model has scored
 * the candidates. Before that, it would change their features, and the model would have to be trained again.
 */
export const openable = (url: string): string =>
  url
    .replace(/[\t\r\n]/g, '')
    .replaceAll(' ', '%20')
    .replace(/(?:(?![ -~])\p{P})+$/u, '')
